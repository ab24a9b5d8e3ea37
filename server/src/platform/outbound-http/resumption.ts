import type { PartialNote } from './partial-download.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * The validator for a later If-Range (RFC 9110 §13.1.5): a strong ETag, or a Last-Modified at least
 * a second older than the response. Undefined if the download cannot be resumed; coded bytes are
 * not the file's bytes.
 */
export function resumptionValidator(headers: Headers): string | undefined {
  if (isCoded(headers) || headers['accept-ranges']?.toLowerCase() === 'none') return undefined;
  const { etag, date, 'last-modified': lastModified } = headers;
  if (etag !== undefined && /^"[^"]*"$/.test(etag)) return etag;
  if (date === undefined || lastModified === undefined) return undefined;
  return Date.parse(date) - Date.parse(lastModified) >= 1000 ? lastModified : undefined;
}

/**
 * The total size of a 206 that continues exactly after the present bytes of the same file, or null
 * if the server does not know it. Undefined if the response does not fit.
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

/** Whether a 416 means that the file is already complete. */
export function isAllThere(
  headers: Headers,
  partial: PartialNote & { sizeBytes: number },
): boolean {
  if (!isSame(headers, partial)) return false;
  const range = /^bytes \*\/(\d+)$/i.exec(headers['content-range'] ?? '');
  const totalBytes = range === null ? partial.totalBytes : Number(range[1]);
  return totalBytes === partial.sizeBytes;
}

// A server that ignores If-Range reveals itself by another validator.
function isSame(headers: Headers, { validator }: PartialNote): boolean {
  const { etag, 'last-modified': lastModified } = headers;
  const now = validator.startsWith('"') ? etag : lastModified;
  return now === undefined || now === validator;
}

function isCoded(headers: Headers): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}
