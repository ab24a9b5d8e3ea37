import { readFileSync } from 'node:fs';
import { lexer, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../../lib/escape.ts';
import { fillMessage } from '../../../lib/fill-message.ts';
import { isRightToLeft, type Language } from '../../../lib/languages.ts';
import { appUrl } from '../addresses.ts';
import { message, translate } from '../translations/index.ts';
import { type EmailTemplate, emailTemplates, kindsOf } from './email-templates.ts';
import { formatValue, isolateValue } from './email-values.ts';
import { isOptional } from './optional-emails.ts';
import { translateTemplate } from './translate-template.ts';

export interface RenderedEmail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The values of an email, as its row has them. */
type Values = Readonly<Record<string, unknown>>;

interface Place {
  /** The service's own address. */
  readonly site: string;
  readonly language: Language;
}

const placeholder = /\{( ?)(\w+)\}/g;
const longestInSubject = 100;

/** Renders an email in a language. */
export function renderEmail(
  template: EmailTemplate,
  values: Values,
  { site, language }: Place,
): RenderedEmail {
  const { subject: subjectLine, body } = readTemplate(template, language);
  const texts = formatValues(template, { ...values, site }, language);
  const fill = (text: string): string =>
    fillIn(text, texts, (value) => isolateValue(value, language));
  const cutOff = (value: string) => isolateValue(shorten(value, longestInSubject), language);
  const subject = fillIn(subjectLine, texts, cutOff);
  const filling = { text: fill, href: (href: string) => fillIn(href, texts, (value) => value) };
  const text = writeMarkdown(body, textNotation, filling);
  const html = writeMarkdown(body, htmlNotation, filling);
  const choice = isOptional(template) ? appUrl({ baseUrl: site }, 'emails') : undefined;
  const choose = choice === undefined ? '' : `${say(chooseEmails, language)}: ${choice}\n`;
  return {
    subject,
    text: `${text}--\n${saySender(language, (value) => value, isolateValue(site, language))}\n${choose}`,
    html: frameEmail({ subject, body: html, site, language, choice }),
  };
}

/** Describes a problem with the values for the developer; undefined if there is none. */
export function checkValues(template: EmailTemplate, values: Values): string | undefined {
  const kinds: Readonly<Record<string, string>> = emailTemplates[template];
  const names = Object.keys(kinds);
  const required = names.filter((name) => kinds[name]?.endsWith('?') === false);
  const missing = required.filter((name) => values[name] === undefined);
  if (missing.length > 0) return `missing values: ${missing.join(', ')}`;
  const strange = Object.keys(values).filter((name) => !names.includes(name));
  if (strange.length > 0) return `unknown values: ${strange.join(', ')}`;
  const broken = names.filter((name) => kinds[name] === 'link' && !isWebAddress(values[name]));
  return broken.length > 0 ? `not URLs of links: ${broken.join(', ')}` : undefined;
}

/** The given values as texts. */
function formatValues(
  template: EmailTemplate,
  values: Values,
  language: Language,
): Readonly<Record<string, string | undefined>> {
  const kinds = Object.entries(kindsOf(template));
  const given = kinds.filter(([name]) => values[name] !== undefined);
  return Object.fromEntries(
    given.map(([name, kind]) => [name, formatValue(kind, values[name], language)]),
  );
}

function fillIn(
  text: string,
  values: Readonly<Record<string, string | undefined>>,
  write: (value: string) => string,
): string {
  return text.replace(placeholder, (_, blank: string, name: string) => {
    const value = values[name] ?? '';
    return value === '' ? '' : blank + write(value);
  });
}

/** Never cuts a surrogate pair. */
function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function isWebAddress(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  return /^https?:$/.test(new URL(text).protocol) && !/[\s\p{Cc}]/u.test(text);
}

const chooseEmails = message('Choose which emails you get');

/** `site`: the service's address, as `write` has written the text around it. */
function saySender(language: Language, write: (text: string) => string, site: string): string {
  const sender = say(message('Sent by Podstead at {site}'), language);
  return fillMessage(sender, language, { value: () => site, number: Number, text: write });
}

function say(text: string, language: Language): string {
  return translate(text, language) ?? text;
}

interface ReadTemplate {
  readonly subject: string;
  readonly body: readonly Token[];
}

const known = new Map<string, ReadTemplate>();

/** Reads each file once for a language. */
function readTemplate(name: EmailTemplate, language: Language): ReadTemplate {
  const key = `${language} ${name}`;
  const template = known.get(key) ?? parseTemplate(name, language);
  known.set(key, template);
  return template;
}

function parseTemplate(name: EmailTemplate, language: Language): ReadTemplate {
  const english = readFileSync(new URL(`templates/${name}.md`, import.meta.url), 'utf8');
  const source = translateTemplate(english, (text) => say(text, language));
  const endOfSubject = source.indexOf('\n');
  return { subject: source.slice(0, endOfSubject), body: lexer(source.slice(endOfSubject)) };
}

const light = { ground: '#fdfcfa', ink: '#1d1b18', muted: '#625f5a', accent: '#1d5b52' };
const dark = { ground: '#161513', ink: '#eeebe6', muted: '#a9a6a0', accent: '#8ab5ae' };

const paint = ({ ground, ink, muted, accent }: typeof light): string =>
  `body{background:${ground};color:${ink}}a{color:${accent}}.muted,.address{color:${muted}}` +
  `.button a{background:${accent};color:${ground}}`;

const style = `:root{color-scheme:light dark}
body{margin:0;font:17px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main{max-width:34em;margin:0 auto;padding:2.5em 1.25em}
h1{font:600 1.5em/1.25 ui-serif,Georgia,serif;margin:0 0 1em}
p,ul{margin:0 0 1.1em}ul{padding:0 0 0 1.2em}[dir=rtl] ul{padding:0 1.2em 0 0}
.button{margin:1.6em 0 .6em}
.button a{display:inline-block;padding:.65em 1.3em;border-radius:.5em;font-weight:600;text-decoration:none}
.address,.muted{font-size:.8em}
.muted{margin-top:3em}
${paint(light)}
@media (prefers-color-scheme:dark){${paint(dark)}}`;

interface Frame {
  readonly subject: string;
  readonly body: string;
  readonly site: string;
  readonly language: Language;
  /** Where the reader chooses which emails they get; undefined: this one is always sent. */
  readonly choice: string | undefined;
}

/** Wraps an email's body in an HTML page that loads nothing, so reading it is not tracked. */
function frameEmail(email: Frame): string {
  const { language } = email;
  const subject = escapeHtml(email.subject);
  const site = escapeHtml(email.site);
  const sender = saySender(language, escapeHtml, `<a href="${site}" dir="ltr">${site}</a>`);
  const choose =
    email.choice === undefined
      ? ''
      : `<br>\n<a href="${escapeHtml(email.choice)}">${escapeHtml(say(chooseEmails, language))}</a>`;
  return `<!doctype html>
<html lang="${language}" dir="${isRightToLeft(language) ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>
${style}
</style>
</head>
<body>
<main>
<h1>${subject}</h1>
${email.body}<p class="muted">${sender}${choose}</p>
</main>
</body>
</html>
`;
}

/** How each part of an email's Markdown is rendered. Arguments are already rendered. */
interface Notation {
  text(text: string): string;
  strong(written: string): string;
  link(written: string, href: string): string;
  paragraph(written: string): string;
  /** A paragraph that is only a link: the email's main action. */
  button(written: string, href: string): string;
  list(items: readonly string[]): string;
}

/**
 * Renders Markdown. `fill` inserts values after parsing, so that no value is read as Markdown.
 * Throws for elements that emails do not support.
 */
function writeMarkdown(
  tokens: readonly Token[],
  notation: Notation,
  fill: Record<'text' | 'href', (text: string) => string>,
): string {
  const writeAll = (parts: readonly Token[] = []): string => parts.map(write).join('');
  const write = (token: Token): string => {
    switch (token.type) {
      case 'space':
        return '';
      case 'text':
        return token.tokens
          ? writeAll(token.tokens)
          : notation.text(fill.text(onOneLine(token.text)));
      case 'strong':
        return notation.strong(writeAll(token.tokens));
      case 'link':
        return notation.link(writeAll(token.tokens), fill.href(token.href));
      case 'paragraph':
        return writeParagraph(token as Tokens.Paragraph);
      case 'list':
        return notation.list((token as Tokens.List).items.map(({ tokens }) => writeAll(tokens)));
      default:
        throw new Error(`emails do not support Markdown's ${token.type}`);
    }
  };
  const writeParagraph = ({ tokens }: Tokens.Paragraph): string => {
    const [first, ...others] = tokens;
    if (first?.type !== 'link' || others.length > 0) return notation.paragraph(writeAll(tokens));
    return notation.button(writeAll(first.tokens), fill.href(first.href));
  };
  return writeAll(tokens);
}

const onOneLine = (text: string): string => text.replaceAll('\n', ' ');

const htmlNotation: Notation = {
  // Copied text has no invisible characters.
  text: (text) => escapeHtml(text).replaceAll('\u2068', '<bdi>').replaceAll('\u2069', '</bdi>'),
  strong: (written) => `<strong>${written}</strong>`,
  link: (written, href) => `<a href="${escapeHtml(href)}">${written}</a>`,
  paragraph: (written) => `<p>${written}</p>\n`,
  button: (written, href) =>
    `<p class="button"><a href="${escapeHtml(href)}">${written}</a></p>\n` +
    `<p class="address" dir="ltr">${escapeHtml(href)}</p>\n`,
  list: (items) => `<ul>${items.map((item) => `<li>${item}</li>`).join('\n')}</ul>\n`,
};

/** One line for each paragraph; mail programs wrap it. */
const textNotation: Notation = {
  text: (text) => text,
  strong: (written) => written,
  link: (written, href) => `${written} (${href})`,
  paragraph: (written) => `${written}\n\n`,
  button: (written, href) => `${written}:\n${href}\n\n`,
  list: (items) => `${items.map((item) => `- ${item}`).join('\n')}\n\n`,
};
