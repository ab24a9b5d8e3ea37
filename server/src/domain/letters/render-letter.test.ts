import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LetterTemplate, letterTemplates } from './letter-templates.ts';
import { checkValues, namesOf, renderLetter } from './render-letter.ts';

const site = 'https://pods.example.com';
const templates = Object.keys(letterTemplates) as LetterTemplate[];
const folder = new URL('templates/', import.meta.url).pathname;

/** `value` for every text; links are always addresses of ours. */
const valuesOf = (template: LetterTemplate, value: (name: string) => string) =>
  Object.fromEntries(
    letterTemplates[template]
      .map((name) => name.replace('?', ''))
      .map((name) => [name, name.startsWith('link') ? `${site}/${name}?t=a&b=c` : value(name)]),
  );

describe.each(templates)('the letter %s', (template) => {
  const source = readFileSync(`${folder}${template}.md`, 'utf8');

  it('names only values that it is given, and each of them', () => {
    const named = [...source.matchAll(/\{ ?(\w+)\}/g)].map(([, name]) => name ?? '');
    expect(namesOf(template)).toEqual(expect.arrayContaining(named));
    expect(named).toEqual(expect.arrayContaining(namesOf(template).filter((n) => n !== 'site')));
  });

  it('says all of it in text and in HTML, and leaves nothing open', () => {
    const values = valuesOf(template, (name) => `<${name}>`);
    const { subject, text, html } = renderLetter(template, values, site);
    for (const [name, value] of Object.entries(values)) {
      expect(text).toContain(value);
      const escaped = name.startsWith('link') ? value.replaceAll('&', '&amp;') : `&lt;${name}&gt;`;
      expect(html).toContain(escaped);
    }
    expect(subject + text + html.replace(/<style>.*<\/style>/s, '')).not.toMatch(/[{}]|\*\*|\]\(/);
    expect(subject.trim()).not.toBe('');
  });
});

it('there is a file for every letter, and a letter for every file', () => {
  const files = globSync('*.md', { cwd: folder }).map((file) => file.replace('.md', ''));
  expect(files.sort()).toEqual([...templates].sort());
});

describe('a value', () => {
  it('is never markup, nor a second line of the subject', () => {
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
    const plain = renderLetter('member-removed', { podcast: 'x' }, site);
    const tags = (html: string) => html.match(/<[^>]*>/g);
    fc.assert(
      fc.property(nasty, (podcast) => {
        const { subject, html } = renderLetter('member-removed', { podcast }, site);
        expect(subject).not.toMatch(/[\p{Cc}\u202A-\u202E]/u);
        expect(tags(html)).toEqual(tags(plain.html));
      }),
    );
  });

  it('is cut short in a subject, never through a character', () => {
    const podcast = `${'a'.repeat(99)}😀 and more`;
    const { subject, text } = renderLetter('member-removed', { podcast }, site);
    expect(subject).toBe(`You no longer work on ${'a'.repeat(99)}…`);
    expect(text).toContain(podcast);
  });

  it('that is left out takes its blank with it', () => {
    const link = `${site}/confirm`;
    expect(renderLetter('confirm-email', { link }, site).text).toMatch(/^Hello,\n/);
    expect(renderLetter('confirm-email', { name: 'Ana', link }, site).text).toMatch(
      /^Hello Ana,\n/,
    );
  });
});

describe('checkValues', () => {
  it.each([
    [{}, 'it lacks name, link'],
    [{ name: 'Ana', link: `${site}/reset`, podcast: 'x' }, 'it has no place for podcast'],
    [{ name: 'Ana', link: 'javascript:alert(1)' }, 'these are no addresses: link'],
    [{ name: 'Ana', link: `${site}/a b` }, 'these are no addresses: link'],
    [{ name: 'Ana', link: `${site}/reset` }, undefined],
  ])('%j: %s', (values, problem) => {
    expect(checkValues('reset-password', values)).toBe(problem);
  });
});
