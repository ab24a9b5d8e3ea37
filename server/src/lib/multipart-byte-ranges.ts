import { randomBytes } from 'node:crypto';
import { type ByteRange, formatContentRange } from './byte-range.ts';

export interface MultipartByteRanges {
  /** The Content-Type of the whole response. */
  readonly contentType: string;
  /** The exact length of everything written, delimiters included. */
  readonly contentLengthBytes: number;
  /** Write in order: each `head`, then the bytes of its range. */
  readonly parts: readonly { readonly head: Buffer; readonly range: ByteRange }[];
  /** Ends the response. */
  readonly tail: Buffer;
}

/**
 * Lays out a 206 with several ranges (RFC 9110 §14.6). `contentType` and `sizeBytes` describe the
 * representation. The boundary is 128 random bits, so no audio contains it. Throws TypeError for an
 * invalid content type.
 */
export function layOutMultipartByteRanges(
  ranges: readonly ByteRange[],
  sizeBytes: number,
  contentType: string,
  boundary = randomBytes(16).toString('hex'),
): MultipartByteRanges {
  // This goes into a body, where no HTTP library stops a line break.
  if (/[^\t -~]/.test(contentType)) throw new TypeError('Not a content type');
  const parts = ranges.map((range, position) => {
    const head =
      `${position === 0 ? '' : '\r\n'}--${boundary}\r\n` +
      `Content-Type: ${contentType}\r\n` +
      `Content-Range: ${formatContentRange(range, sizeBytes)}\r\n\r\n`;
    return { head: Buffer.from(head, 'latin1'), range };
  });
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1');
  const contentLengthBytes = parts.reduce(
    (sum, { head, range }) => sum + head.length + (range.end - range.start + 1),
    tail.length,
  );
  const type = `multipart/byteranges; boundary=${boundary}`;
  return { contentType: type, contentLengthBytes, parts, tail };
}
