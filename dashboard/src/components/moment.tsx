import { formatDate, formatDateTime } from '../lib/format.ts';

/** A point in time in the reader's format, and for programs. */
export function Moment({ of, day = false }: { readonly of: string; readonly day?: boolean }) {
  return <time dateTime={of}>{day ? formatDate(of) : formatDateTime(of)}</time>;
}
