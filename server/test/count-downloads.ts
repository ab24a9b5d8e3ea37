import type { AudioRequest } from '../src/domain/audience/downloads/index.ts';
import { utcDayOf } from '../src/lib/utc-day.ts';

/** The reference count: listener, episode and day of each download. Without rejected requests. */
export function countDownloads(requests: readonly AudioRequest[]): Set<string> {
  const received = new Map<string, Set<number>>();
  const downloads = new Set<string>();
  for (const { at, episodeId, listener, file, audio, neededBytes } of requests) {
    const download = `${utcDayOf(at)} ${episodeId} ${listener}`;
    const bytes = received.get(`${download} ${file}`) ?? new Set();
    received.set(`${download} ${file}`, bytes);
    for (const { start, end } of audio) for (let at = start; at <= end; at += 1) bytes.add(at);
    if (neededBytes > 0 && bytes.size >= neededBytes) downloads.add(download);
  }
  return downloads;
}
