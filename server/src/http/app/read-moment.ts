import type { EpisodeStatus } from '../../domain/foundation/enumerations.ts';
import type { ErrorDetail } from '../../domain/foundation/errors.ts';
import type { EarlierStatus } from '../../domain/publishing/episodes/index.ts';
import { tryParseTimestamp } from '../../lib/time.ts';

/** Reads a time from a field of a body. Refuses other text, and returns undefined for it. */
export function readMoment(
  field: string,
  text: string | undefined,
  refuse: (detail: ErrorDetail) => void,
): Date | undefined {
  if (text === undefined) return undefined;
  const moment = tryParseTimestamp(text);
  if (moment === undefined) {
    refuse({ field, message: 'This must be an ISO 8601 time with a zone.' });
  }
  return moment;
}

type Refuse = (detail: ErrorDetail) => void;
interface WireStatus {
  readonly status: EpisodeStatus;
  readonly published_at: string | null;
  readonly scheduled_for: string | null;
}

/**
 * Reads the status and the dates to which an episode returns; the schema requires the status.
 * `within` names the item of a list.
 */
export function readEarlierStatus(
  body: Partial<WireStatus>,
  refuse: Refuse,
  within = '',
): EarlierStatus {
  const read = (name: 'published_at' | 'scheduled_for') =>
    readMoment(within + name, body[name] ?? undefined, refuse) ?? null;
  return {
    status: body.status as EpisodeStatus,
    publishedAt: read('published_at'),
    scheduledFor: read('scheduled_for'),
  };
}
