import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Language, languageIds } from '../../../lib/languages.ts';
import { type EmailTemplate, emailTemplates, kindsOf } from './email-templates.ts';
import { formatValue, type ValueKind } from './email-values.ts';
import { optionalEmails } from './optional-emails.ts';
import { checkValues, renderEmail } from './render-email.ts';

const site = 'https://pods.example.com';
const templates = Object.keys(emailTemplates) as EmailTemplate[];
const folder = new URL('templates/', import.meta.url).pathname;
const render = (template: EmailTemplate, values: object, language: Language = 'en') =>
  renderEmail(template, { ...values }, { site, language });

const noon = '2026-03-10T12:00:00.000Z';
/** A value of each kind without user text. */
const others: Partial<Record<ValueKind, unknown>> = {
  moment: noon,
  day: noon,
  month: noon,
  number: 51_234,
  bytes: 4_970_000_000,
  country: 'AT',
  scopes: ['podcasts:read', 'episodes:read'],
  sentence: { sentence: 'reachedSuspends', values: { day: noon, renews: noon } },
};

/** `text` wherever an email has user text; links are always URLs of the service. */
const valuesOf = (template: EmailTemplate, text: (name: string) => string) =>
  Object.fromEntries(
    Object.entries(kindsOf(template))
      .filter(([name]) => name !== 'site')
      .map(([name, kind]) => [name, makeValue(kind, name, text(name))]),
  );

function makeValue(kind: ValueKind, name: string, text: string): unknown {
  if (kind === 'link') return `${site}/${name}?t=a&b=c`;
  if (kind === 'role') return { role: 'custom', roleName: text };
  if (kind === 'podcasts') return { titles: [text, text], more: 3 };
  return others[kind] ?? text;
}

/** Without its style and what isolates values in Arabic. */
const plain = (written: string) =>
  written.replace(/<style>.*<\/style>/s, '').replace(/[\u2068\u2069]|<\/?bdi>/g, '');

describe.each(templates)('the email %s', (template) => {
  const source = readFileSync(`${folder}${template}.md`, 'utf8');

  it('uses exactly the values that it declares', () => {
    const named = new Set([...source.matchAll(/\{ ?(\w+)\}/g)].map(([, name]) => name ?? ''));
    expect([...named, 'site'].sort()).toEqual(
      [...Object.keys(kindsOf(template)), ...(named.has('site') ? ['site'] : [])].sort(),
    );
  });

  it.each(languageIds)('an email is complete in text and HTML, in %s', (language) => {
    const values = valuesOf(template, (name) => `<${name}>`);
    const { subject, text, html } = render(template, values, language);
    for (const [name, kind] of Object.entries(kindsOf(template))) {
      const value = formatValue(kind, name === 'site' ? site : values[name], language);
      const escaped = value
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;');
      expect(plain(text)).toContain(plain(value));
      expect(plain(html)).toContain(plain(escaped));
    }
    expect(subject + text + plain(html)).not.toMatch(/[{}]|\*\*|\]\(|undefined|Invalid/);
    expect(subject.trim()).not.toBe('');
    expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
  });

  it.each(languageIds.filter((id) => id !== 'en'))(
    'an email has nothing in English, in %s',
    (language) => {
      const values = valuesOf(template, () => 'X');
      const english = textsOf(render(template, values).text);
      const translated = textsOf(render(template, values, language).text);
      expect(translated.filter((line) => english.includes(line))).toEqual([]);
      expect(translated).toHaveLength(english.length);
    },
  );

  it.each(languageIds)('a value never becomes a link in a mail program, in %s', (language) => {
    for (const name of ['evil.example', 'evil。example/', 'evil․com/login', 'https://evil．com']) {
      const values = valuesOf(template, () => `${name} eve@evil.example`);
      const { subject, text, html } = render(template, values, language);
      const rest = (written: string) =>
        plain(written).replaceAll(/https:\/\/pods\.example\.com[\w/?=&;]*/g, '');
      for (const written of [subject, text, html]) {
        expect(rest(written)).not.toMatch(/\p{Script=Latin}[.。․．]\p{L}|:\/\/|\S@/u);
      }
    }
  });
});

/** The lines with words of the template, which no value is alone in. */
function textsOf(text: string): readonly string[] {
  return plain(text)
    .split('\n')
    .filter((line) => /\p{L}/u.test(line) && !/^https?:\S+$/.test(line));
}

it('only an optional email ends with the link to the choice', () => {
  const link = `${site}/app/settings/emails`;
  for (const template of templates) {
    const { text, html } = render(
      template,
      valuesOf(template, (name) => name),
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
  it.each(['en', 'ar'] as const)(
    'never becomes markup or a second subject line, in %s',
    (language) => {
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
      const usual = render('member-removed', { podcast: 'x' }, language);
      const tags = (html: string) => html.match(/<[^>]*>/g);
      fc.assert(
        fc.property(nasty, (podcast) => {
          fc.pre(formatValue('text', podcast, language) !== '');
          const { subject, html } = render('member-removed', { podcast }, language);
          expect(subject).not.toMatch(/[\p{Cc}\u202A-\u202E]/u);
          expect(tags(html)).toEqual(tags(usual.html));
        }),
      );
    },
  );

  it('a value is truncated in a subject, never inside a character', () => {
    const podcast = `${'a'.repeat(99)}😀 and more`;
    const { subject, text } = render('member-removed', { podcast });
    expect(subject).toBe(`You no longer work on ${'a'.repeat(99)}…`);
    expect(text).toContain(podcast);
  });

  it('a value that is missing removes its space', () => {
    const values = { link: `${site}/confirm`, until: noon };
    expect(render('confirm-email', values).text).toMatch(/^Hello,\n/);
    const named = { name: 'Ana', ...values };
    expect(render('confirm-email', named).text).toMatch(/^Hello Ana,\n/);
  });

  it.each([
    ['moment', noon, 'en', '10 March 2026 at 12:00 UTC'],
    ['moment', noon, 'ja', '2026年3月10日 12:00 UTC'],
    ['month', noon, 'es', 'marzo de 2026'],
    ['number', 51_234, 'de', '51.234'],
    ['bytes', 4_970_000_000, 'fr', '4,97\u202FGo'],
    ['country', 'AT', 'de', 'Österreich'],
    ['country', null, 'de', 'unbekannt'],
    ['scopes', ['podcasts:read', 'episodes:read'], 'ja', 'podcasts:read、episodes:read'],
    ['role', { role: 'cohost', roleName: 'Co-host' }, 'ja', '共同ホスト'],
    ['role', { role: 'custom', roleName: 'Owner' }, 'de', 'Owner'],
    ['podcasts', 'all', 'en', 'all of yours, now and later'],
    ['podcasts', { titles: ['A', 'B'], more: 2 }, 'en', 'A, B, 2 more'],
    ['podcast', null, 'en', 'your podcast'],
    [
      'sentence',
      { sentence: 'secretWorks', values: { until: noon } },
      'en',
      'The old secret works until 10 March 2026 at 12:00 UTC.',
    ],
    [
      'sentence',
      { sentence: 'secretEnded', values: {} },
      'en',
      'The old secret does not work any more.',
    ],
  ] as const)('%s %j in %s: %s', (kind, value, language, text) => {
    expect(formatValue(kind, value, language)).toBe(text);
  });

  it('a value keeps its place among Arabic words', () => {
    const { subject, text, html } = render('member-removed', { podcast: 'Night (Signals)' }, 'ar');
    for (const written of [subject, text]) {
      expect(written).toContain('\u2068Night (Signals)\u2069');
    }
    expect(html).toContain('<strong><bdi>Night (Signals)</bdi></strong>');
  });
});

describe('checkValues', () => {
  const offer = { owner: 'Ana', podcast: 'x', until: new Date(noon) };
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
