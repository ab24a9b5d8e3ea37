import { escapeHtml } from '../../lib/escape.ts';

/** Text that is HTML already: from the tag below, or sanitized before it was stored. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/** A template whose values are escaped unless they are Html; nothing, false and null are empty. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? '';
  parts.forEach((part, index) => {
    text += render(part) + strings[index + 1];
  });
  return new Html(text);
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(render).join('');
  return escapeHtml(String(part));
}

/** Data in a page. Browsers do not run it, so no policy forbids it, and no text in it ends it. */
export function renderJsonScript(type: string, data: object): Html {
  const json = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new Html(`<script type="${type}">${json}</script>`);
}
