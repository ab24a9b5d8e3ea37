import { formatDate, formatDateTime, formatZone } from '../lib/format.ts';

interface Props {
  readonly of: string;
  readonly day?: boolean;
  /** The show's, for dates of its episodes; without it, the reader's own. */
  readonly zone?: string | undefined;
}

/**
 * A point in time in the reader's format, and for programs. The zone is named where the reader's
 * clock shows something else.
 */
export function Moment({ of, day = false, zone }: Props) {
  const write = day ? formatDate : formatDateTime;
  const [text, own] = [write(of, zone), write(of)];
  if (zone === undefined || text === own) return <time dateTime={of}>{text}</time>;
  return (
    <time dateTime={of} title={formatDateTime(of)}>
      {text} <bdi className="meta">({formatZone(of, zone)})</bdi>
    </time>
  );
}
