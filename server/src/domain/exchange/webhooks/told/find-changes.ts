import { type Context, transact } from '../../../foundation/context.ts';
import {
  type ChangeEvent,
  consumeChanges,
  hasUnreadChanges,
} from '../../../foundation/outbox/index.ts';
import { findPublicPodcast } from '../../../public/catalogue/index.ts';
import { consumePublications, hasNewPublications } from '../../../publishing/episodes/index.ts';
import type { WebhookPresenter } from '../webhook.ts';
import { switchOffWebhooks } from '../webhooks.sql.ts';
import { type Compared, comparedAtOnce, compareShow, findPublicEpisode } from './compare-show.ts';
import { consumer } from './consumer.ts';
import { hashEpisode, hashShow } from './hash-public.ts';
import {
  hasWaitingChange,
  lockToldShow,
  selectEpisodesToHash,
  selectShowsToHash,
  selectToldShows,
  setShowHash,
  upsertToldEpisode,
} from './told.sql.ts';

/** Their episodes are read one by one in one transaction. */
const changesAtOnce = 100;
const showsToHashAtOnce = 20;
/** For one run. Afterwards, new changes are looked for first. */
const hashForMs = 1_000;

/** Makes deliveries of new changes and publications, until all are read or the signal aborts. */
export async function findWebhookChanges(
  ctx: Context,
  present: WebhookPresenter,
  signal?: AbortSignal,
): Promise<void> {
  if (await hasUnreadChanges(ctx, consumer)) {
    let taken = changesAtOnce;
    while (taken === changesAtOnce && signal?.aborted !== true)
      taken = await consumeChanges(ctx, consumer, changesAtOnce, (tx, changes) =>
        compareChanged(tx, present, changes),
      );
  }
  if (await hasNewPublications(ctx, consumer))
    await consumePublications(
      ctx,
      consumer,
      (tx, podcastIds) => comparePublished(tx, present, podcastIds),
      { ...(signal && { signal }) },
    );
  await hashShows(ctx, present, signal);
}

/** By turns, so that a show with very many episodes does not delay others. */
async function hashShows(
  ctx: Context,
  present: WebhookPresenter,
  signal: AbortSignal | undefined,
): Promise<void> {
  const endsAtMs = performance.now() + hashForMs;
  let podcastIds = await selectShowsToHash(ctx.db, showsToHashAtOnce);
  while (podcastIds.length > 0) {
    const unfinished: string[] = [];
    for (const podcastId of podcastIds) {
      if (signal?.aborted === true || performance.now() > endsAtMs) return;
      if (await transact(ctx, (tx) => hashOrCompare(tx, present, podcastId)))
        unfinished.push(podcastId);
    }
    podcastIds = unfinished;
  }
}

const nothing: Compared = {
  ...{ episodeIds: [], show: false, publications: false, everything: false },
  imports: 0,
};

async function comparePublished(
  tx: Context,
  present: WebhookPresenter,
  podcastIds: readonly string[],
): Promise<void> {
  for (const { podcastId } of await selectToldShows(tx.db, podcastIds, []))
    await compareShow(tx, present, podcastId, { ...nothing, publications: true });
}

async function compareChanged(
  tx: Context,
  present: WebhookPresenter,
  changes: readonly ChangeEvent[],
): Promise<void> {
  const named = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];
  const podcastIds = named(changes.map((change) => change.podcastId));
  const accountIds = named(changes.map((change) => change.accountId));
  for (const show of await selectToldShows(tx.db, podcastIds, accountIds)) {
    const { podcastId, accountId, begunAt } = show;
    const own = changes.filter(
      (change) => change.podcastId === podcastId || change.accountId === accountId,
    );
    // Older ones may only have been committed since then: an episode that is public now was not.
    const news = own.filter(({ createdAt }) => createdAt >= begunAt);
    const publications = news.length < own.length;
    await compareShow(tx, present, podcastId, { ...collect(news), publications });
    // The new owner may have created others since.
    const at = news.findLast(({ kind }) => kind === 'ownership.changed')?.createdAt;
    if (at !== undefined)
      await switchOffWebhooks(tx.db, { podcastId, at }, 'ownership', tx.clock.now());
  }
}

/** What the changes of one show may have changed. */
function collect(changes: readonly ChangeEvent[]): Omit<Compared, 'publications'> {
  const episodeIds = new Set<string>();
  for (const { kind, episodeId } of changes)
    if (kind.startsWith('episode.') && episodeId !== null) episodeIds.add(episodeId);
  const has = (...kinds: ChangeEvent['kind'][]) => changes.some(({ kind }) => kinds.includes(kind));
  return {
    episodeIds: [...episodeIds],
    // A plan decides a part of what the public sees of a show.
    show: has('podcast.created', 'podcast.changed', 'plan.changed', 'ownership.changed'),
    everything: has('podcast.status_changed'),
    imports: changes.filter(({ kind }) => kind === 'import.finished').length,
  };
}

/**
 * Stores what webhooks were told of episodes that were public before, or were told in large numbers;
 * and compares a show after a restore. Changes that wait are compared first: otherwise, what is hashed
 * would include them, and nobody would be told. Does a part of it; false: there is no more to do.
 */
async function hashOrCompare(
  tx: Context,
  present: WebhookPresenter,
  podcastId: string,
): Promise<boolean> {
  const told = await lockToldShow(tx.db, podcastId);
  if (told?.isStale || told?.hasStaleEpisodes) {
    await compareShow(tx, present, podcastId, nothing);
    return true;
  }
  const show = await findPublicPodcast(tx, podcastId);
  if (told === undefined || show === undefined) return false;
  const hashes: [string, Buffer][] = [];
  for (const id of await selectEpisodesToHash(tx.db, podcastId, comparedAtOnce)) {
    const episode = await findPublicEpisode(tx, show, id);
    if (episode !== undefined) hashes.push([id, hashEpisode(present, show, episode)]);
  }
  // After the reading: a change that was read has its event.
  if (await hasWaitingChange(tx.db, podcastId)) return false;
  if (told.hash === null) await setShowHash(tx.db, podcastId, hashShow(present, show));
  for (const [id, hash] of hashes) await upsertToldEpisode(tx.db, podcastId, id, hash);
  return hashes.length === comparedAtOnce;
}
