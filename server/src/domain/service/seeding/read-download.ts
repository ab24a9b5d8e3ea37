import { canonicalAddress } from '../../../lib/canonical-address.ts';
import { firstStatisticsDay } from '../../../lib/limits.ts';
import { parseMoment } from '../../../lib/time.ts';
import type { MediaFile, ObservedRequest } from '../../audience/downloads/index.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import type { Loading } from './read-entries.ts';
import type { DownloadEntry } from './schema.ts';

export function checkDownload({ at, ip }: DownloadEntry, { now }: Pick<Loading, 'now'>) {
  const problems: ErrorDetail[] = [];
  const moment = parseMoment(at, now);
  if (moment > now) {
    problems.push({ field: 'at', message: 'A download must not be in the future.' });
  }
  if (moment < new Date(firstStatisticsDay)) {
    problems.push({ field: 'at', message: `A download must not be before ${firstStatisticsDay}.` });
  }
  if (canonicalAddress(ip) === undefined) {
    problems.push({ field: 'ip', message: 'This must be an IP address.' });
  }
  return problems;
}

/** One of the requests of an entry, which are all the same. */
export function readDownload(
  entry: DownloadEntry,
  { now }: Pick<Loading, 'now'>,
  audio: { readonly podcastId: string; readonly episodeId: string; readonly file: MediaFile },
): ObservedRequest {
  return {
    ...audio,
    at: parseMoment(entry.at, now),
    source: entry.source ?? 'feed',
    address: entry.ip,
    userAgent: entry.user_agent ?? undefined,
    referrer: entry.referrer ?? undefined,
    framingHost: undefined,
    method: 'GET',
    status: 200,
    isPrefetch: false,
    sent: firstSeconds(audio.file, entry.seconds ?? undefined),
  };
}

/** The first seconds of the file, with the tag before them. */
function firstSeconds(file: MediaFile, seconds: number | undefined): ObservedRequest['sent'] {
  const { sizeBytes, durationMs, bitrateBps, leadingTagBytes } = file;
  const isWhole = seconds === undefined || seconds * 1000 >= durationMs;
  const bytes = isWhole ? sizeBytes : leadingTagBytes + Math.ceil((seconds * bitrateBps) / 8);
  const end = Math.min(bytes, sizeBytes) - 1;
  return seconds === 0 ? [] : [{ start: 0, end }];
}
