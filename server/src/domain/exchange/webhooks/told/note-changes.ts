import type { Context } from '../../../foundation/context.ts';
import type { ChangeEvent } from '../../../foundation/outbox/index.ts';
import { switchOffWebhooks, wakeWebhooks } from '../webhooks.sql.ts';
import {
  type LockedShow,
  lockToldShows,
  type NotedShow,
  noteEpisodes,
  noteShows,
  selectShowsWithNews,
} from './noted.sql.ts';

/** What changes may have changed of a show that has webhooks. */
interface ChangedShow extends NotedShow {
  /** When it was handed over last, if it was. */
  readonly handedOverAt: Date | undefined;
  readonly episodeIds: readonly string[];
}

/**
 * Notes what changes may have changed of shows with webhooks, and compares nothing: it takes a few
 * statements, however many episodes a show has, and no show can make it fail. Call it in the consumer's
 * transaction.
 */
export async function noteChanges(tx: Context, changes: readonly ChangeEvent[]): Promise<void> {
  const named = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];
  const podcastIds = named(changes.map((change) => change.podcastId));
  const accountIds = named(changes.map((change) => change.accountId));
  const locked = await lockToldShows(tx.db, podcastIds, accountIds);
  if (locked.length === 0) return;
  const shows = locked.map((show) => collect(show, changes));
  const episodes = shows.flatMap(({ podcastId, episodeIds }) =>
    episodeIds.map((episodeId) => ({ podcastId, episodeId })),
  );
  const now = tx.clock.now();
  const stale = await noteEpisodes(tx.db, episodes);
  const ids = episodes.map(({ episodeId }) => episodeId);
  const withNews = await selectShowsWithNews(tx.db, ids, now);
  const noted = shows.map((show) => ({
    ...show,
    hasStaleEpisodes: show.hasStaleEpisodes || stale.has(show.podcastId),
    hasPublications: show.hasPublications || withNews.has(show.podcastId),
  }));
  await noteShows(tx.db, noted, now);
  const reopened = shows.filter(({ isReopened }) => isReopened);
  if (reopened.length > 0) {
    const reopenedIds = reopened.map(({ podcastId }) => podcastId);
    await wakeWebhooks(tx.db, reopenedIds, now);
  }
  for (const { podcastId, handedOverAt: at } of shows)
    if (at !== undefined) await switchOffWebhooks(tx.db, { podcastId, at }, 'ownership', now);
}

function collect(
  { podcastId, accountId, begunAt }: LockedShow,
  changes: readonly ChangeEvent[],
): ChangedShow {
  const own = changes.filter(
    (change) => change.podcastId === podcastId || change.accountId === accountId,
  );
  // Older ones may only have been committed since then: an episode that is public now was not.
  const news = own.filter(({ createdAt }) => createdAt >= begunAt);
  const episodeIds = new Set<string>();
  for (const { kind, episodeId } of news)
    if (kind.startsWith('episode.') && episodeId !== null) episodeIds.add(episodeId);
  const has = (...kinds: ChangeEvent['kind'][]) => news.some(({ kind }) => kinds.includes(kind));
  const isReopened = has('podcast.status_changed');
  return {
    podcastId,
    isReopened,
    episodeIds: [...episodeIds],
    // The new owner may have created webhooks since.
    handedOverAt: news.findLast(({ kind }) => kind === 'ownership.changed')?.createdAt,
    // A plan decides a part of what the public sees of a show.
    hasChanged:
      isReopened || has('podcast.created', 'podcast.changed', 'plan.changed', 'ownership.changed'),
    hasPublications: isReopened || news.length < own.length,
    // What changed while the public could not see it.
    hasStaleEpisodes: isReopened,
    imports: news.filter(({ kind }) => kind === 'import.finished').length,
  };
}
