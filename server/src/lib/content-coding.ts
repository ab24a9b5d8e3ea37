export type ContentCoding = 'br' | 'gzip' | 'identity';

/** The content codings besides identity, best first. */
export const CODINGS = ['br', 'gzip'] as const;

const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
/** Identity is acceptable even if not listed (RFC 9110 §12.5.3), but less than listed codings. */
const UNNAMED_IDENTITY_Q = 0.0001;

const MEMO_ENTRIES = 500;
const MEMO_HEADER_CHARS = 256;
const memo = new Map<string, ContentCoding>();

/**
 * Chooses the coding of a response from Accept-Encoding: the highest q-value, then `br`, `gzip`,
 * identity. Falls back to identity, even if the client forbids it: a response serves a listener
 * better than a 406.
 */
export function chooseContentCoding(header: string | undefined): ContentCoding {
  if (header === undefined || header === '') return 'identity';
  const known = memo.get(header);
  if (known !== undefined) return known;

  const chosen = choose(header);
  // Real clients send a few dozen headers; a flood of invented ones only costs its own time.
  if (header.length <= MEMO_HEADER_CHARS) {
    if (memo.size >= MEMO_ENTRIES) memo.clear();
    memo.set(header, chosen);
  }
  return chosen;
}

function choose(header: string): ContentCoding {
  const qvalues = readQvalues(header);
  const fallback = qvalues.get('*');
  let chosen: ContentCoding = 'identity';
  let highest = qvalues.get('identity') ?? fallback ?? UNNAMED_IDENTITY_Q;
  for (const coding of [...CODINGS].reverse()) {
    const q = qvalues.get(coding) ?? fallback ?? 0;
    if (q === 0 || q < highest) continue;
    chosen = coding;
    highest = q;
  }
  return chosen;
}

/** By lower-case name. Skips malformed items; the last one for a coding wins. */
function readQvalues(header: string): Map<string, number> {
  const qvalues = new Map<string, number>();
  for (const member of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (name === '' || !QVALUE.test(weight)) continue;
    qvalues.set(name === 'x-gzip' ? 'gzip' : name, Number(weight));
  }
  return qvalues;
}
