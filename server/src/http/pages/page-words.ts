import type { SaidMessage } from '../../domain/foundation/errors.ts';
import { translate, translateSaid } from '../../domain/foundation/translations/index.ts';
import { escapeHtml } from '../../lib/escape.ts';
import { fillMessage } from '../../lib/fill-message.ts';
import { isRightToLeft, type Language } from '../../lib/languages.ts';
import { Html, html } from '../responses/html.ts';

/** Writes an element around a part of a message. */
type Element = (content: Html) => Html;

type TextValues = Readonly<Record<string, string | number>>;
type Values = Readonly<Record<string, string | number | Html | Element>>;

/**
 * What a page says in a language of the app. Its texts are in English, as `npm run words` finds them
 * in the source: literal, and as the first argument.
 */
export interface PageWords {
  readonly language: Language;
  /** Plain text, for titles, labels and buttons. */
  say(text: string, values?: TextValues): string;
  /**
   * For elements: `<strong>` and `<code>` are written as they are, other tags by the function of their
   * name. Marks a text that is in English on a page in another language.
   */
  write(text: string, values?: Values): Html;
  /** What the domain says, for elements, marked in the same way. */
  writeSaid(said: SaidMessage): Html;
  /** The name of a role; only a custom one has a name of its own. */
  role(role: { readonly role: string; readonly roleName: string }): string;
}

const plainElements: Readonly<Record<string, Element>> = {
  strong: (content) => html`<strong>${content}</strong>`,
  code: (content) => html`<code>${content}</code>`,
};

/** The element of a link to one of our own pages. */
export const link =
  (href: string): Element =>
  (content) =>
    html`<a href="${href}">${content}</a>`;

export function pageWords(language: Language): PageWords {
  // Values keep the order of the words around them, whatever their script is.
  const isIsolated = isRightToLeft(language);
  const mark = (written: Html) => html`<span lang="en" dir="ltr">${written}</span>`;
  const say = (text: string, values: TextValues = {}) =>
    fillMessage(translate(text, language) ?? text, language, {
      value: (name) => (isIsolated ? `\u2068${values[name]}\u2069` : String(values[name])),
      number: (name) => Number(values[name]),
    });
  const writeValue = (value: Values[string] | undefined): string => {
    if (value instanceof Html) return value.text;
    if (typeof value === 'function') return '';
    const text = escapeHtml(String(value));
    // Copied text has no invisible characters.
    return isIsolated && typeof value === 'string' ? `<bdi>${text}</bdi>` : text;
  };
  const writePart = (text: string, values: Values): Html => {
    const [before = '', tag, content = '', after = ''] = splitAtElement(text);
    const filled = fillMessage(before, language, {
      value: (name) => writeValue(values[name]),
      number: (name) => Number(values[name]),
      text: escapeHtml,
    });
    if (tag === undefined) return new Html(filled);
    const value = values[tag];
    const element = typeof value === 'function' ? value : plainElements[tag];
    if (element === undefined) throw new Error(`the text “${text}” has no element ${tag}`);
    return html`${new Html(filled)}${element(writePart(content, values))}${writePart(after, values)}`;
  };
  return {
    language,
    say,
    write(text, values = {}) {
      const translation = translate(text, language);
      const written = writePart(translation ?? text, values);
      return translation === undefined ? mark(written) : written;
    },
    writeSaid(said) {
      const translation = translateSaid(said, language);
      return translation === undefined ? mark(html`${said.message}`) : html`${translation}`;
    },
    role: ({ role, roleName }) => (role === 'custom' ? roleName : say(roleName)),
  };
}

/** The text before the first element, its tag, its content, and the text after it. */
function splitAtElement(text: string): readonly (string | undefined)[] {
  const opening = /<(\w+)>/.exec(text);
  if (opening === null) return [text];
  const [whole, tag = ''] = opening;
  const begin = opening.index + whole.length;
  const end = text.indexOf(`</${tag}>`, begin);
  if (end < 0) return [text];
  const before = text.slice(0, opening.index);
  return [before, tag, text.slice(begin, end), text.slice(end + tag.length + 3)];
}
