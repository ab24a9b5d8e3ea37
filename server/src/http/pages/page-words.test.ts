import { describe, expect, it } from 'vitest';
import { sayRefusal } from '../../domain/foundation/refusals.ts';
import { html } from '../responses/html.ts';
import { link, pageWords } from './page-words.ts';

const confirmed = 'Your email address <strong>{email}</strong> is confirmed.';

describe('the words of a page', () => {
  it('the words of a page are translated, with their elements', () => {
    const email = '<b>@example.com';
    expect(pageWords('en').write(confirmed, { email }).text).toBe(
      'Your email address <strong>&lt;b&gt;@example.com</strong> is confirmed.',
    );
    expect(pageWords('de').write(confirmed, { email }).text).toBe(
      'Ihre E-Mail-Adresse <strong>&lt;b&gt;@example.com</strong> ist bestätigt.',
    );
    const words = '<a>Sign in</a>, or <new>request a new email</new>.';
    const links = { a: link('/one?a=1&b=2'), new: link('/two') };
    expect(pageWords('en').write(words, links).text).toBe(
      '<a href="/one?a=1&amp;b=2">Sign in</a>, or <a href="/two">request a new email</a>.',
    );
  });

  it('a value of a text is neither an element nor a value', () => {
    const email = '<strong>{email}</strong>';
    expect(pageWords('en').write(confirmed, { email }).text).toContain(
      '<strong>&lt;strong&gt;{email}&lt;/strong&gt;</strong>',
    );
    const name = html`<q>x</q>`;
    expect(pageWords('en').write('It calls itself {name}.', { name }).text).toBe(
      'It calls itself <q>x</q>.',
    );
  });

  it('values keep their place among Arabic words', () => {
    expect(pageWords('ar').say('Accept {podcast}', { podcast: 'A (B)' })).toContain(
      '\u2068A (B)\u2069',
    );
  });

  it('a text without a translation is in English, and marked', () => {
    const words = pageWords('de');
    expect(words.write('Nobody <strong>says</strong> this.').text).toBe(
      '<span lang="en" dir="ltr">Nobody <strong>says</strong> this.</span>',
    );
    expect(words.say('Nobody says this.')).toBe('Nobody says this.');
    expect(words.writeSaid({ message: 'Nobody <says> this.' }).text).toBe(
      '<span lang="en" dir="ltr">Nobody &lt;says&gt; this.</span>',
    );
    expect(pageWords('en').writeSaid({ message: 'Nobody says this.' }).text).toBe(
      'Nobody says this.',
    );
  });

  it('a refusal is said by its key, with its values', () => {
    const refusal = sayRefusal('password_length', { min: 8, max: 1024 });
    expect(pageWords('de').writeSaid(refusal).text).toBe(
      'Ein Passwort muss 8 bis 1.024 Zeichen haben.',
    );
    expect(pageWords('en').writeSaid(refusal).text).toBe(refusal.message);
    const strange = { message: 'x', messageKey: 'constructor', values: {} };
    expect(pageWords('de').writeSaid(strange).text).toContain('lang="en"');
  });

  it('only a custom role has a name of its own', () => {
    const words = pageWords('de');
    expect(words.role({ role: 'owner', roleName: 'Owner' })).toBe('Inhaber');
    expect(words.role({ role: 'custom', roleName: 'Owner' })).toBe('Owner');
  });
});
