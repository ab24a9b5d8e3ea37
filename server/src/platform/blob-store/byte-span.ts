import type { ByteSpan } from './blob-store.ts';

/** Throws RangeError unless `span` has whole positions and does not end before its start. */
export function assertByteSpan(span: ByteSpan): void {
  const { start, end } = span;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError(`no bytes from ${start} to ${end}`);
  }
}
