import { describe, expect, it } from 'vitest';
import { pageWords } from '../../pages/page-words.ts';
import type { Field } from './fields.ts';
import { type Form, renderForm } from './form.ts';
import { startingWith, untouched } from './form-state.ts';

const fields: readonly Field[] = [
  { kind: 'email', name: 'email', label: 'Email address', autocomplete: 'username' },
  {
    kind: 'password',
    name: 'password',
    label: 'Password',
    hint: 'At least 8 characters.',
    autocomplete: 'new-password',
  },
  {
    kind: 'some-of',
    name: 'scopes',
    label: 'Permissions',
    choices: [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ],
  },
];
const form: Form = { action: '/app/x', fields, hidden: { token: 'se"cret' }, submit: 'Go' };
const render = (state = untouched) => renderForm(pageWords('en'), form, state).text;

describe('a form', () => {
  it('connects labels and hints with their fields', () => {
    const text = render();
    expect(text).toContain('<label for="password">Password</label>');
    expect(text).toMatch(/id="password"[^>]* aria-describedby="password-hint"/);
    expect(text).toMatch(/id="email"[^>]* autocomplete="username"[^>]* required/);
    expect(text).not.toMatch(/autofocus|aria-invalid|role="alert"/);
  });

  it('escapes its values', () => {
    expect(render()).toContain('value="se&quot;cret"');
    expect(render(startingWith({ email: '"><script>' }))).toContain(
      'value="&quot;&gt;&lt;script&gt;"',
    );
  });

  it('a form keeps typed values, but never a password', () => {
    const text = render({
      values: { email: 'ana@example.com', password: 'hunter22', scopes: ['b'] },
      problems: [{ field: 'password', message: 'Too short.' }],
    });
    expect(text).toContain('value="ana@example.com"');
    expect(text).not.toContain('hunter22');
    expect(text).toContain('value="b" checked');
    expect(text).not.toContain('value="a" checked');
  });

  it('shows each problem beside its field and focuses the first', () => {
    const text = render({
      values: {},
      problems: [
        { field: 'scopes.0', message: 'No such permission.' },
        { field: 'password', message: 'Too short.' },
      ],
    });
    expect(text).toMatch(
      /id="password"[^>]* aria-describedby="password-hint password-problem" aria-invalid="true" autofocus/,
    );
    expect(text).toContain('<p class="problem" id="password-problem">Too short.</p>');
    expect(text).toContain('<p class="problem" id="scopes-problem">No such permission.</p>');
    expect(text.match(/autofocus/g)).toHaveLength(1);
    expect(text).toMatch(/role="alert"><p>Please correct the fields/);
  });

  it('shows other problems above all fields', () => {
    const text = render({ values: {}, problems: [{ field: 'token', message: 'Used up.' }] });
    expect(text).toMatch(/role="alert"><p>Used up[.]<\/p><\/div>/);
    expect(text).not.toContain('autofocus');
  });
});
