import type { Context } from '../../../domain/context.ts';
import { type ChangedContent, listContentChanges } from '../../../domain/episodes/index.ts';
import { DomainError } from '../../../domain/errors.ts';
import type { EventStream, StreamEvent } from './event-stream.ts';
import type { Follower, SendEvents } from './serve-events.ts';

/** Changes within this time are sent together. */
const gatherMs = 200;

/**
 * Sends a podcast's changes to a stream, as far as the caller may see them: soon after the commit
 * of any process, and within a second if the announcement was lost. Checks permission each time.
 */
export function followPodcast(
  ctx: Context,
  { podcastId, snapshot }: { readonly podcastId: string; readonly snapshot: string },
  { stream, sendEvents }: { readonly stream: EventStream; readonly sendEvents: SendEvents },
): Follower {
  let since = snapshot;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isAgain = false;
  let isEnded = false;
  const sendChanges = async () => {
    const { changed, snapshot: now } = await listContentChanges(ctx, podcastId, since);
    await sendEvents(changed?.map((one) => toEvent(podcastId, one)) ?? [reset]);
    since = now;
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
      await sendChanges().catch((error: unknown) => end(ctx, stream, error));
      isLooking = false;
      if (isAgain) look();
    }, gatherMs);
  };
  const unsubscribe = ctx.changes.subscribe(
    {
      onChange: (changedId) => {
        if (changedId === podcastId) look();
      },
      onGap: look,
    },
    { isWaiting: true },
  );
  stream.send({ name: 'ready', data: '{}' });
  return {
    look,
    [Symbol.dispose]() {
      isEnded = true;
      unsubscribe();
      clearTimeout(timer);
    },
  };
}

/** Tells the client to read everything again, because too much has changed. */
const reset: StreamEvent = { name: 'podcast.reset', data: '{}' };

function toEvent(podcastId: string, { episodeId, revision }: ChangedContent): StreamEvent {
  if (episodeId === null) {
    return { name: 'podcast.changed', data: JSON.stringify({ podcast_id: podcastId, revision }) };
  }
  if (revision === null) {
    return { name: 'episode.deleted', data: JSON.stringify({ episode_id: episodeId }) };
  }
  return { name: 'episode.changed', data: JSON.stringify({ episode_id: episodeId, revision }) };
}

/** Ends the stream if permission is lost. After an outage, the next `look` sends missed changes. */
function end({ log }: Context, stream: EventStream, error: unknown): void {
  if (error instanceof DomainError) stream.end();
  else log.warn({ err: error }, 'changes of a podcast could not be read');
}
