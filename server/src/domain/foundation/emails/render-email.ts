import { readFileSync } from 'node:fs';
import { lexer, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../../lib/escape.ts';
import { preventLinks } from '../../../lib/prevent-links.ts';
import { appUrl } from '../addresses.ts';
import { commonValues, type EmailTemplate, emailTemplates, isLink } from './email-templates.ts';
import { isOptional } from './optional-emails.ts';

export interface RenderedEmail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const placeholder = /\{( ?)(\w+)\}/g;
/** Line breaks and direction marks, which must not reach the text around a value. */
const unruly = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;
const longestInSubject = 100;

/** Renders an email. `site` is the service's own address. */
export function renderEmail(
  template: EmailTemplate,
  values: Readonly<Record<string, string | undefined>>,
  site: string,
): RenderedEmail {
  const { subject: subjectLine, body } = readTemplate(template);
  const all = { ...values, site };
  const fill = (text: string): string => fillIn(text, all, Number.POSITIVE_INFINITY);
  const subject = fillIn(subjectLine, all, longestInSubject);
  const text = writeMarkdown(body, textNotation, fill);
  const html = writeMarkdown(body, htmlNotation, fill);
  const choice = isOptional(template) ? appUrl({ baseUrl: site }, 'emails') : undefined;
  const choose = choice === undefined ? '' : `Choose which emails you get: ${choice}\n`;
  return {
    subject,
    text: `${text}--\nSent by Podstead at ${site}\n${choose}`,
    html: frameEmail({ subject, body: html, site, choice }),
  };
}

/** Describes a problem with the values for the developer; undefined if there is none. */
export function checkValues(
  template: EmailTemplate,
  values: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const names: readonly string[] = emailTemplates[template];
  const required = names.filter((name) => !name.endsWith('?'));
  const missing = required.filter((name) => values[name] === undefined);
  if (missing.length > 0) return `missing values: ${missing.join(', ')}`;
  const known = names.map((name) => name.replace('?', ''));
  const strange = Object.keys(values).filter((name) => !known.includes(name));
  if (strange.length > 0) return `unknown values: ${strange.join(', ')}`;
  const broken = known.filter((name) => isLink(name) && !isWebAddress(values[name] ?? ''));
  return broken.length > 0 ? `not URLs of links: ${broken.join(', ')}` : undefined;
}

/** All names that a template may use. */
export function namesOf(template: EmailTemplate): string[] {
  return [...emailTemplates[template].map((name) => name.replace('?', '')), ...commonValues];
}

function fillIn(
  text: string,
  values: Readonly<Record<string, string | undefined>>,
  longest: number,
): string {
  return text.replace(placeholder, (_, blank: string, name: string) => {
    const value = values[name];
    if (value === undefined || value === '') return '';
    const ruly = asWritten(name, value.replace(unruly, ' ').trim());
    return `${blank}${ruly.length > longest ? `${cut(ruly, longest)}…` : ruly}`;
  });
}

/** Users choose their names; a name such as evil.example must not become a link in the email. */
function asWritten(name: string, value: string): string {
  const isOurs = isLink(name) || commonValues.some((standing) => standing === name);
  return isOurs ? value : preventLinks(value);
}

/** Never cuts a surrogate pair. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

function isWebAddress(text: string): boolean {
  return (
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[\s\p{Cc}]/u.test(text)
  );
}

interface ReadTemplate {
  readonly subject: string;
  /** Parsed by marked; texts still contain placeholders. */
  readonly body: readonly Token[];
}

const known = new Map<EmailTemplate, ReadTemplate>();

/** Reads and parses a template file once. */
function readTemplate(name: EmailTemplate): ReadTemplate {
  const template = known.get(name) ?? parseTemplate(name);
  known.set(name, template);
  return template;
}

function parseTemplate(name: EmailTemplate): ReadTemplate {
  const source = readFileSync(new URL(`templates/${name}.md`, import.meta.url), 'utf8');
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
p,ul{margin:0 0 1.1em}ul{padding-left:1.2em}
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
  /** Where the reader chooses which emails they get; undefined: this one is always sent. */
  readonly choice: string | undefined;
}

/** Wraps an email's body in an HTML page that loads nothing, so reading it is not tracked. */
function frameEmail(email: Frame): string {
  const subject = escapeHtml(email.subject);
  const site = escapeHtml(email.site);
  const choose =
    email.choice === undefined
      ? ''
      : `<br>\n<a href="${escapeHtml(email.choice)}">Choose which emails you get</a>`;
  return `<!doctype html>
<html lang="en">
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
${email.body}<p class="muted">Sent by Podstead at <a href="${site}">${site}</a>${choose}</p>
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
  fill: (text: string) => string,
): string {
  const writeAll = (parts: readonly Token[] = []): string => parts.map(write).join('');
  const write = (token: Token): string => {
    switch (token.type) {
      case 'space':
        return '';
      case 'text':
        return token.tokens ? writeAll(token.tokens) : notation.text(fill(onOneLine(token.text)));
      case 'strong':
        return notation.strong(writeAll(token.tokens));
      case 'link':
        return notation.link(writeAll(token.tokens), fill(token.href));
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
    return notation.button(writeAll(first.tokens), fill(first.href));
  };
  return writeAll(tokens);
}

const onOneLine = (text: string): string => text.replaceAll('\n', ' ');

const htmlNotation: Notation = {
  text: escapeHtml,
  strong: (written) => `<strong>${written}</strong>`,
  link: (written, href) => `<a href="${escapeHtml(href)}">${written}</a>`,
  paragraph: (written) => `<p>${written}</p>\n`,
  button: (written, href) =>
    `<p class="button"><a href="${escapeHtml(href)}">${written}</a></p>\n` +
    `<p class="address">${escapeHtml(href)}</p>\n`,
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
