import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EmailTemplate, emailTemplates } from './email-templates.ts';
import { optionalEmails } from './optional-emails.ts';
import { checkValues, namesOf, renderEmail } from './render-email.ts';

const site = 'https://pods.example.com';
const templates = Object.keys(emailTemplates) as EmailTemplate[];
const folder = new URL('templates/', import.meta.url).pathname;

/** `value` for every text; links are always URLs of the service. */
const valuesOf = (template: EmailTemplate, value: (name: string) => string) =>
  Object.fromEntries(
    emailTemplates[template]
      .map((name) => name.replace('?', ''))
      .map((name) => [name, name.startsWith('link') ? `${site}/${name}?t=a&b=c` : value(name)]),
  );

describe.each(templates)('the email %s', (template) => {
  const source = readFileSync(`${folder}${template}.md`, 'utf8');

  it('uses exactly the values that it declares', () => {
    const named = [...source.matchAll(/\{ ?(\w+)\}/g)].map(([, name]) => name ?? '');
    expect(namesOf(template)).toEqual(expect.arrayContaining(named));
    expect(named).toEqual(expect.arrayContaining(namesOf(template).filter((n) => n !== 'site')));
  });

  it('an email is complete in text and HTML', () => {
    const values = valuesOf(template, (name) => `<${name}>`);
    const { subject, text, html } = renderEmail(template, values, site);
    for (const [name, value] of Object.entries(values)) {
      expect(text).toContain(value);
      const escaped = name.startsWith('link') ? value.replaceAll('&', '&amp;') : `&lt;${name}&gt;`;
      expect(html).toContain(escaped);
    }
    expect(subject + text + html.replace(/<style>.*<\/style>/s, '')).not.toMatch(/[{}]|\*\*|\]\(/);
    expect(subject.trim()).not.toBe('');
  });
});

it('only an optional email ends with the link to the choice', () => {
  const link = `${site}/app/settings/emails`;
  for (const template of templates) {
    const { text, html } = renderEmail(
      template,
      valuesOf(template, (name) => name),
      site,
    );
    const isOptional = optionalEmails.some((optional) => optional === template);
    expect(text.trimEnd().endsWith(`Choose which emails you get: ${link}`)).toBe(isOptional);
    expect(html.includes(`<a href="${link}">`)).toBe(isOptional);
  }
});

/** A thief could turn it off before the act. */
it('an email that gives advice for the act of somebody else is never optional', () => {
  for (const template of optionalEmails) {
    const source = readFileSync(`${folder}${template}.md`, 'utf8');
    expect(source).not.toMatch(/If (?:you did not|not,|this was you)/);
  }
});

it('every email has a file, and every file an email', () => {
  const files = globSync('*.md', { cwd: folder }).map((file) => file.replace('.md', ''));
  expect(files.sort()).toEqual([...templates].sort());
});

describe('a value', () => {
  it('never becomes markup or a second subject line', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'x\r\nBcc: eve@example.com',
        '<script>alert(1)</script>',
        '" onclick="x',
        '[a](https://evil.example)',
        '**bold**',
        '{link}',
        '&lt;b&gt;',
        '\u202Egnp.exe',
      ),
    );
    const plain = renderEmail('member-removed', { podcast: 'x' }, site);
    const tags = (html: string) => html.match(/<[^>]*>/g);
    fc.assert(
      fc.property(nasty, (podcast) => {
        const { subject, html } = renderEmail('member-removed', { podcast }, site);
        expect(subject).not.toMatch(/[\p{Cc}\u202A-\u202E]/u);
        expect(tags(html)).toEqual(tags(plain.html));
      }),
    );
  });

  it.each(templates)('a value of %s never becomes a link in a mail program', (template) => {
    for (const name of ['evil.example', 'evil。example/', 'evil․com/login', 'https://evil．com']) {
      const values = valuesOf(template, () => `${name} eve@evil.example`);
      const { subject, text, html } = renderEmail(template, values, site);
      const rest = (written: string) =>
        written.replaceAll(/https:\/\/pods\.example\.com[\w/?=&;]*/g, '');
      for (const written of [subject, text, html.replace(/<style>.*<\/style>/s, '')]) {
        expect(rest(written)).not.toMatch(/[\p{L}][.。․．]\p{L}|:\/\/|\S@/u);
      }
    }
  });

  it('a value is truncated in a subject, never inside a character', () => {
    const podcast = `${'a'.repeat(99)}😀 and more`;
    const { subject, text } = renderEmail('member-removed', { podcast }, site);
    expect(subject).toBe(`You no longer work on ${'a'.repeat(99)}…`);
    expect(text).toContain(podcast);
  });

  it('a value that is missing removes its space', () => {
    const values = { link: `${site}/confirm`, until: 'until noon' };
    expect(renderEmail('confirm-email', values, site).text).toMatch(/^Hello,\n/);
    const named = { name: 'Ana', ...values };
    expect(renderEmail('confirm-email', named, site).text).toMatch(/^Hello Ana,\n/);
  });
});

describe('checkValues', () => {
  const offer = { owner: 'Ana', podcast: 'x', until: 'until noon' };
  it.each([
    [{}, 'missing values: owner, podcast, link, until'],
    [{ ...offer, link: `${site}/offer`, role: 'x' }, 'unknown values: role'],
    [{ ...offer, link: 'javascript:alert(1)' }, 'not URLs of links: link'],
    [{ ...offer, link: `${site}/a b` }, 'not URLs of links: link'],
    [{ ...offer, link: `${site}/offer` }, undefined],
  ])('%j: %s', (values, problem) => {
    expect(checkValues('ownership-offer', values)).toBe(problem);
  });
});
