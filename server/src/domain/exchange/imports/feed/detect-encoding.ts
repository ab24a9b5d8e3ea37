/**
 * The most bytes that are searched for the end of the XML declaration: blank lines may come first.
 */
export const ENCODING_HEAD_BYTES = 1024;

const DECLARATION = /^\s*<\?xml\s[^>]{0,400}?encoding\s*=\s*["']([\w.:-]{1,40})["']/;

/**
 * The encoding of a document by its first bytes, as a label that TextDecoder knows: the byte order
 * mark, else the two-byte pattern of `<?`, else the XML declaration or the `charset` that came with
 * it, else UTF-8. If the last two differ, the charset is right (RFC 7303), unless the document says
 * UTF-8: servers also send a default charset with files of other encodings.
 */
export function detectEncoding(head: Buffer, charset: string | undefined): string {
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
