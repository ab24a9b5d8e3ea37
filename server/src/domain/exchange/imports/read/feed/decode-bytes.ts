import { isUtf8 } from 'node:buffer';
import { windows1252Character } from './character-references.ts';

/** Turns the bytes of a document into text, piece by piece. `end` returns the rest. */
export interface ByteDecoder {
  write(bytes: Buffer): string;
  end(): string;
}

/** Decides the encoding by the first bytes and by `charset`, the parameter of Content-Type. */
export function createByteDecoder(charset: string | undefined): ByteDecoder {
  let head: Buffer = Buffer.alloc(0);
  let decoder: ByteDecoder | undefined;
  const begin = (): string => {
    const encoding = detectEncoding(head, charset);
    decoder = encoding === 'utf-8' ? createUtf8Decoder() : createPlatformDecoder(encoding);
    return decoder.write(head);
  };
  return {
    write(bytes) {
      if (decoder !== undefined) return decoder.write(bytes);
      head = Buffer.concat([head, bytes]);
      const decided = head.length >= ENCODING_HEAD_BYTES || head.includes('>');
      return decided ? begin() : '';
    },
    end() {
      const start = decoder === undefined ? begin() : '';
      return start + (decoder?.end() ?? '');
    },
  };
}

function createPlatformDecoder(encoding: string): ByteDecoder {
  const decoder = new TextDecoder(encoding);
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  };
}

/**
 * Decodes UTF-8, and each byte that is not UTF-8 as windows-1252. Feeds often declare UTF-8 and
 * contain a pasted quotation mark in the old encoding.
 */
function createUtf8Decoder(): ByteDecoder {
  let rest: Buffer = Buffer.alloc(0);
  return {
    write(bytes) {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const cut = all.length - unfinishedLength(all);
      rest = Buffer.from(all.subarray(cut));
      return decodeUtf8(all.subarray(0, cut));
    },
    end: () => decodeUtf8(rest),
  };
}

/** The number of bytes at the end that begin a character which the next piece may complete. */
function unfinishedLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return back < sequenceLength(byte) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  return 1;
}

function decodeUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const pieces: string[] = [];
  let good = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes[at] ?? 0);
    if (length === 1 ? (bytes[at] ?? 0) < 0x80 : isUtf8(bytes.subarray(at, at + length))) {
      at += length;
      continue;
    }
    pieces.push(bytes.toString('utf8', good, at), windows1252Character(bytes[at] ?? 0));
    at += 1;
    good = at;
  }
  pieces.push(bytes.toString('utf8', good, at));
  return pieces.join('');
}

/**
 * The most bytes that are searched for the end of the XML declaration: blank lines may come first.
 */
const ENCODING_HEAD_BYTES = 1024;

const DECLARATION = /^\s*<\?xml\s[^>]{0,400}?encoding\s*=\s*["']([\w.:-]{1,40})["']/;

/**
 * The encoding of a document by its first bytes, as a label that TextDecoder knows: the byte order
 * mark, else the two-byte pattern of `<?`, else the XML declaration or the `charset` that came with
 * it, else UTF-8. If the last two differ, the charset is right (RFC 7303), unless the document says
 * UTF-8: servers also send a default charset with files of other encodings.
 */
function detectEncoding(head: Buffer, charset: string | undefined): string {
  const marked = byMark(head);
  if (marked !== undefined) return marked;
  const declared = asciiCompatible(DECLARATION.exec(head.toString('latin1'))?.[1]);
  if (declared === 'utf-8') return declared;
  return asciiCompatible(charset) ?? declared ?? 'utf-8';
}

function byMark(head: Buffer): string | undefined {
  const [a, b, c] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0x3c && b === 0) return 'utf-16le';
  if (a === 0 && b === 0x3c) return 'utf-16be';
  return undefined;
}

/**
 * TextDecoder's name for the label; undefined if it does not know the label. A declared UTF-16 is
 * wrong, because the declaration has just been read as single bytes.
 */
function asciiCompatible(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label.trim());
    return encoding.startsWith('utf-16') ? undefined : encoding;
  } catch {
    return undefined;
  }
}
