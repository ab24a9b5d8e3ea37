import type { Context } from '../../../domain/foundation/context.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import {
  type ChangedContent,
  type ContentChanges,
  listContentChanges,
} from '../../../domain/publishing/episodes/index.ts';
import type { EventStream, StreamEvent } from './event-stream.ts';
import type { Follower, SendEvents } from './serve-events.ts';

/** Changes within this time are sent together. */
const gatherMs = 200;

interface Reader {
  readonly stream: EventStream;
  readonly sendEvents: SendEvents;
  readonly positionOf: (snapshot: string) => string;
  /** Runs a read of the user's when it is its turn. */
  readonly inTurn: (read: () => Promise<void>) => Promise<void>;
}

/**
 * Sends a podcast's changes to a stream, as far as the caller may see them: `first`, and then soon
 * after the commit of any process, and within a second if the announcement was lost; later if very many
 * windows are open. Checks permission each time.
 */
export function followPodcast(
  ctx: Context,
  { podcastId, first }: { readonly podcastId: string; readonly first: ContentChanges },
  { stream, sendEvents, positionOf, inTurn }: Reader,
): Follower {
  let since = first.snapshot;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isAgain = false;
  let isEnded = false;
  const toEvents = ({ changed }: ContentChanges) =>
    changed?.map((one) => toEvent(podcastId, one)) ?? [reset];
  const sendChanges = async () => {
    const found = await listContentChanges(ctx, podcastId, since);
    const events = toEvents(found);
    const last = events.pop();
    // Only the last one has the id: a client that has received some has not reached the position.
    if (last !== undefined)
      await sendEvents([...events, { ...last, id: positionOf(found.snapshot) }]);
    since = found.snapshot;
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
      await inTurn(sendChanges).catch((error: unknown) => {
        if (!isEnded) end(ctx, stream, error);
      });
      isLooking = false;
      if (isAgain) look();
    }, gatherMs);
  };
  const unsubscribe = ctx.announcements.subscribe(
    {
      onChange: (changedId) => {
        if (changedId === podcastId) look();
      },
      onGap: look,
    },
    { isWaiting: true },
  );
  for (const event of toEvents(first)) stream.send(event);
  stream.send({ name: 'ready', data: '{}', id: positionOf(first.snapshot) });
  // For what was committed between `first` and the subscription.
  look();
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
