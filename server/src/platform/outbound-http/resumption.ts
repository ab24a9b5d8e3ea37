import type { PartialNote } from './partial-download.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * What a later request can name in If-Range (RFC 9110 §13.1.5): a strong ETag, or a Last-Modified
 * that is older than the answer by a second at least. Undefined when the answer is not to be gone
 * on with: coded bytes are not the bytes of the file.
 */
export function resumptionValidator(headers: Headers): string | undefined {
  if (isCoded(headers) || headers['accept-ranges']?.toLowerCase() === 'none') return undefined;
  const { etag, date, 'last-modified': lastModified } = headers;
  if (etag !== undefined && /^"[^"]*"$/.test(etag)) return etag;
  if (date === undefined || lastModified === undefined) return undefined;
  return Date.parse(date) - Date.parse(lastModified) >= 1000 ? lastModified : undefined;
}

/**
 * Where a 206 goes on, when it goes on just behind what is there and is of the same file; its whole
 * length, or null where the server does not know it. Undefined when it is not what was asked for.
 */
export function continuationOf(
  headers: Headers,
  partial: PartialNote & { sizeBytes: number },
): { totalBytes: number | null } | undefined {
  const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(headers['content-range'] ?? '');
  if (range === null || isCoded(headers) || !isSame(headers, partial)) return undefined;
  const totalBytes = range[3] === '*' ? null : Number(range[3]);
  if (Number(range[1]) !== partial.sizeBytes) return undefined;
  const expected = partial.totalBytes ?? totalBytes;
  return totalBytes === null || totalBytes === expected ? { totalBytes: expected } : undefined;
}

/** Whether a 416 says that nothing is missing: the whole is just as long as what is there. */
export function isAllThere(
  headers: Headers,
  partial: PartialNote & { sizeBytes: number },
): boolean {
  if (!isSame(headers, partial)) return false;
  const range = /^bytes \*\/(\d+)$/i.exec(headers['content-range'] ?? '');
  const totalBytes = range === null ? partial.totalBytes : Number(range[1]);
  return totalBytes === partial.sizeBytes;
}

// A server that overlooks If-Range gives itself away by another validator.
function isSame(headers: Headers, { validator }: PartialNote): boolean {
  const { etag, 'last-modified': lastModified } = headers;
  const now = validator.startsWith('"') ? etag : lastModified;
  return now === undefined || now === validator;
}

function isCoded(headers: Headers): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}
