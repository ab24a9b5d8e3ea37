import { formatDate, formatDateTime, formatZone } from '../lib/format.ts';
import { readersZone } from '../lib/time-zone.ts';

interface LocalProps {
  readonly of: string;
  /** Without the time. */
  readonly day?: boolean;
}

interface Props extends LocalProps {
  /** The show's, for the dates of its episodes. */
  readonly zone: string;
}

/**
 * A point in time in a zone, in the reader's format, and for programs. The zone is named where the
 * reader's clock shows something else.
 */
export function Moment({ of, day = false, zone }: Props) {
  const write = day ? formatDate : formatDateTime;
  const own = readersZone();
  const text = write(of, zone);
  if (text === write(of, own)) return <time dateTime={of}>{text}</time>;
  return (
    <time dateTime={of} title={formatDateTime(of, own)}>
      {text} <bdi className="meta">({formatZone(of, zone)})</bdi>
    </time>
  );
}

/** A point in time in the reader's own zone: what only concerns them, or when a task ran. */
export function LocalMoment(props: LocalProps) {
  return <Moment {...props} zone={readersZone()} />;
}
