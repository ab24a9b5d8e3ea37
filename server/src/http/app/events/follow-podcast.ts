import type { Context } from '../../../domain/context.ts';
import { type ChangedContent, listContentChanges } from '../../../domain/episodes/index.ts';
import { DomainError } from '../../../domain/errors.ts';
import type { EventStream } from './event-stream.ts';
import type { Follower } from './serve-events.ts';

/** Changes that come together are told together. */
const gatherMs = 200;

/**
 * Tells a stream what the caller sees of a podcast's changes: from the commit of any process on, and of
 * those whose announcement was lost, with the next heartbeat. Permission is asked each time.
 */
export function followPodcast(
  ctx: Context,
  { podcastId, snapshot }: { readonly podcastId: string; readonly snapshot: string },
  stream: EventStream,
): Follower {
  let since = snapshot;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isAgain = false;
  let isEnded = false;
  const tell = async () => {
    const found = await listContentChanges(ctx, podcastId, since);
    since = found.snapshot;
    if (found.changed === undefined) stream.send('podcast.reset', '{}');
    for (const changed of found.changed ?? []) sendChange(stream, podcastId, changed);
  };
  const look = () => {
    if (isEnded) return;
    if (isLooking) {
      isAgain = true;
      return;
    }
    timer ??= setTimeout(async () => {
      timer = undefined;
      [isLooking, isAgain] = [true, false];
      await tell().catch((error: unknown) => end(ctx, stream, error));
      isLooking = false;
      if (isAgain) look();
    }, gatherMs);
  };
  const unsubscribe = ctx.changes.subscribe({
    onChange: (changedId) => {
      if (changedId === podcastId) look();
    },
    onGap: look,
  });
  stream.send('ready', '{}');
  return {
    look,
    [Symbol.dispose]() {
      isEnded = true;
      unsubscribe();
      clearTimeout(timer);
    },
  };
}

function sendChange(stream: EventStream, podcastId: string, changed: ChangedContent): void {
  const { episodeId, revision } = changed;
  if (episodeId === null) {
    stream.send('podcast.changed', JSON.stringify({ podcast_id: podcastId, revision }));
  } else if (revision === null) {
    stream.send('episode.deleted', JSON.stringify({ episode_id: episodeId }));
  } else {
    stream.send('episode.changed', JSON.stringify({ episode_id: episodeId, revision }));
  }
}

/** Without permission it ends; an outage passes, and the next look tells of what was missed. */
function end({ log }: Context, stream: EventStream, error: unknown): void {
  if (error instanceof DomainError) stream.end();
  else log.warn({ err: error }, 'changes of a podcast could not be read');
}
