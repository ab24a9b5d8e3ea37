import { Html } from '../html.ts';

/** Data in a page. Browsers do not run it, so no policy forbids it, and no text in it ends it. */
export function renderJsonScript(type: string, data: object): Html {
  const json = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new Html(`<script type="${type}">${json}</script>`);
}
