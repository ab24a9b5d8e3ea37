import { readFileSync } from 'node:fs';
import { lexer, type Token } from 'marked';
import { preventLinks } from '../../../lib/prevent-links.ts';
import { appUrl } from '../addresses.ts';
import { commonValues, type EmailTemplate, emailTemplates, isLink } from './email-templates.ts';
import { frameEmail } from './frame-email.ts';
import { isOptional } from './optional-emails.ts';
import { htmlNotation, textNotation, writeMarkdown } from './write-markdown.ts';

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
