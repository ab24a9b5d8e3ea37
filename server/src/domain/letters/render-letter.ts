import { frameLetter } from './frame-letter.ts';
import {
  isLink,
  type LetterTemplate,
  letterTemplates,
  standingValues,
} from './letter-templates.ts';
import { htmlNotation, textNotation } from './notations.ts';
import { readTemplate } from './read-template.ts';
import { writeMarkdown } from './write-markdown.ts';

export interface RenderedLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const placeholder = /\{( ?)(\w+)\}/g;
/** What ends a line or turns the direction of writing: a value stays in its place. */
const unruly = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;
const longestInSubject = 100;

/** A letter in words. `site` is the service's own address. */
export function renderLetter(
  template: LetterTemplate,
  values: Readonly<Record<string, string | undefined>>,
  site: string,
): RenderedLetter {
  const { subject: subjectLine, body } = readTemplate(template);
  const all = { ...values, site };
  const fill = (text: string): string => fillIn(text, all, Number.POSITIVE_INFINITY);
  const subject = fillIn(subjectLine, all, longestInSubject);
  const text = writeMarkdown(body, textNotation, fill);
  const html = writeMarkdown(body, htmlNotation, fill);
  return {
    subject,
    text: `${text}--\nSent by Podstead at ${site}\n`,
    html: frameLetter({ subject, body: html, site }),
  };
}

/** What is wrong with the values, in words for whoever calls; undefined: nothing. */
export function checkValues(
  template: LetterTemplate,
  values: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const names: readonly string[] = letterTemplates[template];
  const required = names.filter((name) => !name.endsWith('?'));
  const missing = required.filter((name) => values[name] === undefined);
  if (missing.length > 0) return `it lacks ${missing.join(', ')}`;
  const known = names.map((name) => name.replace('?', ''));
  const strange = Object.keys(values).filter((name) => !known.includes(name));
  if (strange.length > 0) return `it has no place for ${strange.join(', ')}`;
  const broken = known.filter((name) => isLink(name) && !isWebAddress(values[name] ?? ''));
  return broken.length > 0 ? `these are no addresses: ${broken.join(', ')}` : undefined;
}

/** Every name that a template may use. */
export function namesOf(template: LetterTemplate): string[] {
  return [...letterTemplates[template].map((name) => name.replace('?', '')), ...standingValues];
}

function fillIn(
  text: string,
  values: Readonly<Record<string, string | undefined>>,
  longest: number,
): string {
  return text.replace(placeholder, (_, blank: string, name: string) => {
    const value = values[name];
    if (value === undefined || value === '') return '';
    const ruly = value.replace(unruly, ' ').trim();
    return `${blank}${ruly.length > longest ? `${cut(ruly, longest)}…` : ruly}`;
  });
}

/** Never through a character that takes two units. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

function isWebAddress(text: string): boolean {
  return (
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[\s\p{Cc}]/u.test(text)
  );
}
