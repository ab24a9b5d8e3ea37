import { loadHtmlToTextParser } from './html-readers.ts';

/** Real pages stay below 100. The parser's time is quadratic in the depth. */
export const maxNesting = 400;

/**
 * The same HTML with at most `maxNesting` levels: from the first deeper element on, tags are
 * removed and text stays. Takes linear time.
 */
export function limitNesting(html: string): string {
  const end = findTooDeep(html);
  return end === undefined ? html : html.slice(0, end) + dropTags(html.slice(end));
}

/** Where the first element begins that is nested too deeply. */
function findTooDeep(html: string): number | undefined {
  if (!holdsMany(html, '<', maxNesting)) return undefined;
  let depth = 0;
  let found: number | undefined;
  const { Parser } = loadHtmlToTextParser();
  const parser = new Parser({
    onopentag() {
      depth += 1;
      if (depth <= maxNesting || found !== undefined) return;
      found = parser.startIndex;
      parser.pause();
    },
    onclosetag() {
      depth -= 1;
    },
  });
  parser.write(html);
  return found;
}

function holdsMany(text: string, sign: string, count: number): boolean {
  let at = -1;
  for (let seen = 0; seen <= count; seen += 1) {
    at = text.indexOf(sign, at + 1);
    if (at === -1) return false;
  }
  return true;
}

const lineEnd = /<\/?(?:br|p|div|li|tr|h[1-6])\b[^<>]*>/gi;
const anyTag = /<[/!?a-z][^<>]*>/gi;

function dropTags(html: string): string {
  return html.replace(lineEnd, '\n').replace(anyTag, '');
}
