import { webhookWaitingDeliveries } from '../../../../lib/limits.ts';
import type { Context } from '../../../foundation/context.ts';
import { DomainError } from '../../../foundation/errors.ts';
import {
  findPublicPodcast,
  getPublicEpisode,
  type PublicEpisodeDetail,
  type PublicPodcast,
} from '../../../public/catalogue/index.ts';
import { visibilityOf } from '../../../publishing/podcasts/index.ts';
import { hasFailedLately, selectLastFailure } from '../sending/failures.sql.ts';
import { giveUpWebhook } from '../sending/give-up.ts';
import {
  type FullWebhook,
  insertDeliveries,
  type NewDelivery,
  selectFullWebhooks,
} from '../sending/queue.sql.ts';
import type { WebhookPresenter } from '../webhook.ts';
import { wakeWebhooks } from '../webhooks.sql.ts';
import { hashEpisode, hashShow } from './hash-public.ts';
import { postponeShow } from './noted.sql.ts';
import {
  deleteGoneEpisodes,
  deleteToldEpisode,
  insertMissingEpisodes,
  lockToldShow,
  markStaleEpisodes,
  type Noted,
  selectStaleEpisodes,
  selectToldEpisodes,
  setNoted,
  setShowHash,
  type ToldShow,
  upsertToldEpisode,
} from './told.sql.ts';

/**
 * The most episodes that are read in one transaction. On the embedded database, everything else waits
 * for it.
 */
const readAtOnce = 20;
/** The most that become public, or end, in one transaction: each is a delivery for every webhook. */
const publicationsAtOnce = 500;
const markedAtOnce = 1_000;
/** The pause if webhooks have enough to send: the counters of hosts begin again every minute. */
const pauseMs = 60_000;
/** When a hidden show is looked at again. When the public can see it again, that is noted at once. */
const hiddenPauseMs = 30 * 60_000;
/** How long one that fails may hold up the show's others (HOOK-15). */
const mayHoldUpMs = 3_600_000;

const nothing: Noted = {
  ...{ hasStaleEpisodes: false, hasChanged: false, hasPublications: false },
  imports: 0,
};

/** The webhooks' view of a show is that of the public API: they are sent what it responds with. */
export function isOpenToWebhooks(show: PublicPodcast): boolean {
  return visibilityOf(show, 'api') === 'open';
}

/**
 * Compares a part of what a show's webhooks were told, as it was noted, with what the public sees now,
 * and makes deliveries of the differences. While the public cannot see the show, or webhooks have too
 * much to send, nothing is told. Call it in a transaction, again and again: it leaves a note of what
 * remains. True: nothing does that can be told now.
 */
export async function compareShow(
  tx: Context,
  present: WebhookPresenter,
  podcastId: string,
): Promise<boolean> {
  const told = await lockToldShow(tx.db, podcastId);
  const show = await findPublicPodcast(tx, podcastId);
  // Its last webhook, or the show, was deleted.
  if (told === undefined || show === undefined) return true;
  if (told.isStale) {
    await noteEverything(tx, told);
    return false;
  }
  const after = (ms: number) => new Date(tx.clock.now().getTime() + ms);
  if (!isOpenToWebhooks(show)) {
    // Stale episodes stay marked, too, until the public can see the show.
    const { imports } = told;
    const compareAt = imports === 0 ? null : after(hiddenPauseMs);
    await setNoted(tx.db, podcastId, { ...nothing, imports, compareAt });
    return true;
  }
  if (await isFull(tx, podcastId)) {
    await setNoted(tx.db, podcastId, { ...told, compareAt: after(pauseMs) });
    return true;
  }
  return await comparePart(tx, present, show, told);
}

/** After a restore. Marks a part of the episodes; after the last one, the show is not stale any more. */
async function noteEverything(tx: Context, told: ToldShow): Promise<void> {
  const { podcastId } = told;
  const now = tx.clock.now();
  if ((await markStaleEpisodes(tx.db, podcastId, markedAtOnce)) === markedAtOnce)
    return await postponeShow(tx.db, podcastId, now);
  await wakeWebhooks(tx.db, [podcastId], now);
  const all = { hasStaleEpisodes: true, hasChanged: true, hasPublications: true };
  await setNoted(tx.db, podcastId, { ...told, ...all, compareAt: now });
}

/**
 * Whether a webhook has so much to send that nothing may be added: differences take no space. One that
 * has failed for an hour is switched off instead.
 */
async function isFull(tx: Context, podcastId: string): Promise<boolean> {
  const full = await selectFullWebhooks(tx.db, podcastId, webhookWaitingDeliveries);
  let switchedOff = 0;
  for (const webhook of full) {
    const { webhookId, host, failingSince } = webhook;
    if (failingSince === null || !(await failsTooLong(tx, webhook))) continue;
    await giveUpWebhook(tx, { webhookId, podcastId, host }, failingSince);
    switchedOff += 1;
  }
  return switchedOff < full.length;
}

/** By its requests: a webhook that waits for its turn does not fail in the meantime. */
async function failsTooLong(
  tx: Context,
  { webhookId, failingSince }: FullWebhook,
): Promise<boolean> {
  if (failingSince === null) return false;
  const last = await selectLastFailure(tx.db, webhookId, failingSince);
  if (last === undefined || last.triedAt.getTime() - failingSince.getTime() < mayHoldUpMs)
    return false;
  return await hasFailedLately(tx.db, webhookId, failingSince, last);
}

async function comparePart(
  tx: Context,
  present: WebhookPresenter,
  show: PublicPodcast,
  told: ToldShow,
): Promise<boolean> {
  const now = tx.clock.now();
  const stale = told.hasStaleEpisodes ? await selectStaleEpisodes(tx.db, show.id, readAtOnce) : [];
  const deliveries = await compareEpisodes(tx, present, show, stale);
  const published = told.hasPublications ? await comparePublications(tx, show) : [];
  deliveries.push(...published);
  // Of thousands of them, the contents are read later, in parts.
  for (const { type, subjectId: id } of published.slice(0, readAtOnce - stale.length))
    if (type === 'episode.published') await compareEpisode(tx, present, show, { id, hash: null });
  if (told.hasChanged) deliveries.push(...(await compareOnlyShow(tx, present, show, told)));
  const rest = {
    ...nothing,
    hasStaleEpisodes: stale.length === readAtOnce,
    hasPublications: published.length === publicationsAtOnce,
  };
  const isDone = !rest.hasStaleEpisodes && !rest.hasPublications;
  // After what they have imported.
  if (isDone) deliveries.push(...importsOf(told));
  await insertDeliveries(tx.db, show.id, deliveries, now);
  // Shows whose changes have waited longer are first.
  const left = isDone ? { compareAt: null } : { compareAt: now, imports: told.imports };
  await setNoted(tx.db, show.id, { ...rest, ...left });
  return isDone;
}

async function compareEpisodes(
  tx: Context,
  present: WebhookPresenter,
  show: PublicPodcast,
  episodeIds: readonly string[],
): Promise<NewDelivery[]> {
  const told = await selectToldEpisodes(tx.db, show.id, episodeIds);
  const deliveries: NewDelivery[] = [];
  for (const id of episodeIds) {
    const type = await compareEpisode(tx, present, show, { id, hash: told.get(id) });
    if (type !== undefined) deliveries.push(ofEpisode(type, id));
  }
  return deliveries;
}

/** Which episodes are public, without their contents. At most `publicationsAtOnce`. */
async function comparePublications(tx: Context, show: PublicPodcast): Promise<NewDelivery[]> {
  const now = tx.clock.now();
  const added = await insertMissingEpisodes(tx.db, show.id, now, publicationsAtOnce);
  // After the last of them, because this reads all that were told.
  const free = publicationsAtOnce - added.length;
  const gone = free === 0 ? [] : await deleteGoneEpisodes(tx.db, show.id, now, free);
  return [
    ...added.map((id) => ofEpisode('episode.published', id)),
    ...gone.map((id) => ofEpisode('episode.unpublished', id)),
  ];
}

type EpisodeType = 'episode.published' | 'episode.updated' | 'episode.unpublished';

const ofEpisode = (type: EpisodeType, id: string): NewDelivery => ({
  type,
  subjectId: id,
  episodeId: id,
});

function importsOf({ podcastId, imports }: ToldShow): NewDelivery[] {
  const one = { type: 'import.finished', subjectId: podcastId, episodeId: null } as const;
  return Array.from({ length: imports }, () => one);
}

/** `hash`: what was told; null: it is not known, undefined: nothing was. */
async function compareEpisode(
  tx: Context,
  present: WebhookPresenter,
  show: PublicPodcast,
  { id, hash }: { readonly id: string; readonly hash: Buffer | null | undefined },
): Promise<EpisodeType | undefined> {
  const episode = await findPublicEpisode(tx, show, id);
  if (episode === undefined) {
    if (hash === undefined) return undefined;
    await deleteToldEpisode(tx.db, show.id, id);
    return 'episode.unpublished';
  }
  const current = hashEpisode(present, show, episode);
  await upsertToldEpisode(tx.db, show.id, id, current);
  if (hash === undefined) return 'episode.published';
  return hash?.equals(current) ? undefined : 'episode.updated';
}

async function compareOnlyShow(
  tx: Context,
  present: WebhookPresenter,
  show: PublicPodcast,
  { hash }: ToldShow,
): Promise<NewDelivery[]> {
  const current = hashShow(present, show);
  if (hash?.equals(current)) return [];
  await setShowHash(tx.db, show.id, current);
  return [{ type: 'show.updated', subjectId: show.id, episodeId: null }];
}

/** Undefined: the public does not see it. */
export async function findPublicEpisode(
  ctx: Context,
  show: PublicPodcast,
  id: string,
): Promise<PublicEpisodeDetail | undefined> {
  try {
    return await getPublicEpisode(ctx, show, id);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined;
    throw error;
  }
}
