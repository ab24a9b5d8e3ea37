import { tryParseJson } from './parse-json.ts';

/** A shorter line can't take much memory, whatever it contains. */
const shortChars = 64 * 1024;

/** The values of a row; undefined if the line is not an array of so many texts and nulls, in JSON. */
export function tryReadRowLine(line: string, columns: number): (string | null)[] | undefined {
  if (line.length > shortChars && !isFlat(line, columns)) return undefined;
  const row = tryParseJson(line);
  const isRow =
    Array.isArray(row) &&
    row.length === columns &&
    row.every((value) => value === null || typeof value === 'string');
  return isRow ? row : undefined;
}

/** Asked before the line is parsed: brackets alone would become a hundred times as long in memory. */
function isFlat(line: string, columns: number): boolean {
  let values = 1;
  for (let at = 1; at < line.length; at += 1) {
    const letter = line[at];
    if (letter === '"') at = endOfText(line, at);
    else if (letter === '[' || letter === '{') return false;
    else if (letter === ',') values += 1;
    if (values > columns) return false;
  }
  return true;
}

/** The place of the quotation mark that ends the text, or the end of the line. */
function endOfText(line: string, start: number): number {
  for (let at = start + 1; at < line.length; at += 1) {
    const letter = line[at];
    if (letter === '\\') at += 1;
    else if (letter === '"') return at;
  }
  return line.length;
}
