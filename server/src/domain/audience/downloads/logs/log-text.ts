/**
 * Splits a line at its spaces. `"…"` and `[…]` enclose fields with spaces and are removed.
 * `escapes`: a backslash in quotes protects the next character. Undefined: too many fields, or one
 * never ends.
 */
export function splitFields(line: string, escapes: boolean): string[] | undefined {
  const fields: string[] = [];
  let at = 0;
  while (at < line.length) {
    if (line[at] === ' ') {
      at += 1;
      continue;
    }
    const end = findFieldEnd(line, at, escapes);
    if (end < 0 || fields.length === maxFields) return undefined;
    const isWrapped = line[at] === '"' || line[at] === '[';
    fields.push(isWrapped ? line.slice(at + 1, end) : line.slice(at, end));
    at = isWrapped ? end + 1 : end;
  }
  return fields;
}

const maxFields = 60;

function findFieldEnd(line: string, at: number, escapes: boolean): number {
  if (line[at] === '[') return line.indexOf(']', at);
  if (line[at] !== '"') {
    const space = line.indexOf(' ', at);
    return space < 0 ? line.length : space;
  }
  for (let end = at + 1; end < line.length; end += 1) {
    if (line[end] === '"') return end;
    if (escapes && line[end] === '\\') end += 1;
  }
  return -1;
}

const plainEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Undoes the escapes of nginx and Apache: `\x22`, `\"`, `\\`, `\n`. */
export function unescapeField(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/g, (_, hex?: string, letter = '') =>
    hex === undefined ? (plainEscapes[letter] ?? letter) : toLetter(hex),
  );
}

/**
 * Undoes the percent-encoding of CloudFront, which used to encode spaces twice. Each byte becomes one
 * character, as in the headers that this process sees itself.
 */
export function decodePercents(text: string): string {
  const once = decodeOnce(text);
  return once.includes('%20') ? decodeOnce(once) : once;
}

function decodeOnce(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => toLetter(hex));
}

function toLetter(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

/** Logs write `-` for a header that was not sent. */
export function fieldOrNone(text: string | undefined): string | undefined {
  return text === undefined || text === '' || text === '-' ? undefined : text;
}

/** A number of bytes; `-` is none. Undefined for anything else. */
export function tryParseBytes(text: string | undefined): number | undefined {
  if (text === '-' || text === '') return 0;
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Headers of responses, ours and those that CDNs add, have about 1 kB. */
const maxHeaderBytes = 4_096;

/** The lowest possible size of a body, for logs that only know the size of the whole response. */
export function withoutHeaders(sentBytes: number): number {
  return Math.max(0, sentBytes - maxHeaderBytes);
}

/** Of `GET /path HTTP/1.1`; undefined for what is not a request line. */
export function splitRequestLine(
  text: string,
): { readonly method: string; readonly target: string } | undefined {
  const [method = '', target = '', ...rest] = text.split(' ', 4);
  if (!/^[A-Z]{1,20}$/.test(method) || target === '' || rest.length > 1) return undefined;
  return { method, target };
}
