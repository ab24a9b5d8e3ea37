import type { Context } from '../../../foundation/context.ts';
import { sourceOf } from '../audio-request.ts';
import type { ObservedRequest } from '../observed-request.ts';
import type { AudioTarget } from './audio-target.ts';
import { deliveredRanges } from './delivered-ranges.ts';
import type { LogLine } from './log-line.ts';
import { type LoggedAudio, selectLoggedAudio } from './logs.sql.ts';

/** A line about audio, by its address. */
export interface AudioLine {
  readonly line: LogLine;
  readonly target: AudioTarget;
}

/**
 * Requests for our audio, with the facts of the present files. Lines about others are left out:
 * deleted episodes, audio at another host, replaced files.
 */
export async function observeLines(
  ctx: Context,
  lines: readonly AudioLine[],
): Promise<ObservedRequest[]> {
  const episodeIds = new Set<string>();
  const blobKeys = new Set<string>();
  for (const { target } of lines) {
    if (target.kind === 'episode') episodeIds.add(target.episodeId);
    else blobKeys.add(target.key);
  }
  if (lines.length === 0) return [];
  const found = await selectLoggedAudio(ctx.db, [...episodeIds], [...blobKeys]);
  const byName = new Map<string, LoggedAudio>();
  for (const audio of found) byName.set(audio.episodeId, audio).set(audio.blobKey, audio);
  return lines.flatMap(({ line, target }) => {
    const audio = byName.get(target.kind === 'episode' ? target.episodeId : target.key);
    return audio === undefined ? [] : [observe(line, target, audio)];
  });
}

function observe(line: LogLine, target: AudioTarget, audio: LoggedAudio): ObservedRequest {
  const { podcastId, episodeId, file } = audio;
  const { at, address, userAgent, referrer, method, status, isPrefetch } = line;
  const marker = target.kind === 'episode' ? target.marker : undefined;
  const { sent, isPlaceKnown } = deliveredRanges(line, file);
  return {
    at,
    podcastId,
    episodeId,
    source: sourceOf(marker),
    address,
    userAgent,
    referrer,
    framingHost: target.kind === 'episode' ? target.framingHost : undefined,
    method,
    status,
    isPrefetch,
    file,
    sent,
    isPlaceKnown,
  };
}
