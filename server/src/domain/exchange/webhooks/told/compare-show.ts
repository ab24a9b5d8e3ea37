import type { Context } from '../../../foundation/context.ts';
import { DomainError } from '../../../foundation/errors.ts';
import {
  findPublicPodcast,
  getPublicEpisode,
  type PublicEpisodeDetail,
  type PublicPodcast,
} from '../../../public/catalogue/index.ts';
import { visibilityOf } from '../../../publishing/podcasts/index.ts';
import { insertDeliveries, type NewDelivery } from '../sending/queue.sql.ts';
import type { WebhookPresenter } from '../webhook.ts';
import { wakeWebhooks } from '../webhooks.sql.ts';
import { hashEpisode, hashShow } from './hash-public.ts';
import {
  deleteGoneEpisodes,
  deleteToldEpisode,
  insertMissingEpisodes,
  lockToldShow,
  markStaleEpisodes,
  selectStaleEpisodes,
  selectToldEpisodes,
  setShowHash,
  setStaleShow,
  type ToldShow,
  upsertToldEpisode,
} from './told.sql.ts';

/** What may have changed of a show. */
export interface Compared {
  /** These episodes. */
  readonly episodeIds: readonly string[];
  /** The show itself. */
  readonly show: boolean;
  /** Which episodes are public, without a change of their own. */
  readonly publications: boolean;
  /** Everything, because the public may see the show again. */
  readonly everything: boolean;
  /** How many imports have ended. */
  readonly imports: number;
}

/**
 * The most that are read in one transaction without a change of their own. On the embedded database,
 * everything else waits for it.
 */
export const comparedAtOnce = 20;

/** The webhooks' view of a show is that of the public API: they are sent what it responds with. */
export function isOpenToWebhooks(show: PublicPodcast): boolean {
  return visibilityOf(show, 'api') === 'open';
}

/**
 * Compares what a show's webhooks were told with what the public sees now, and makes deliveries of
 * the differences. While the public cannot see the show, nothing is told: changes are noted until
 * it can. Call it in a transaction.
 */
export async function compareShow(
  tx: Context,
  present: WebhookPresenter,
  podcastId: string,
  compared: Compared,
): Promise<void> {
  const told = await lockToldShow(tx.db, podcastId);
  const show = await findPublicPodcast(tx, podcastId);
  // Its last webhook, or the show, was deleted.
  if (told === undefined || show === undefined) return;
  const { imports, episodeIds } = compared;
  const everything = compared.everything || told.isStale;
  const deliveries: NewDelivery[] = [];
  if (told.isStale) await markStaleEpisodes(tx.db, podcastId, 'all');
  const isOpen = isOpenToWebhooks(show);
  // While the public can't see it, they stay stale.
  const stale =
    isOpen && (everything || told.hasStaleEpisodes)
      ? await selectStaleEpisodes(tx.db, podcastId, comparedAtOnce)
      : [];
  if (everything || told.hasStaleEpisodes)
    await setStaleShow(tx.db, podcastId, { hasStaleEpisodes: stale.length === comparedAtOnce });
  if (isOpen) {
    if (everything) await wakeWebhooks(tx.db, podcastId, tx.clock.now());
    const those = { ...compared, everything, episodeIds: [...new Set([...episodeIds, ...stale])] };
    deliveries.push(...(await compareEpisodes(tx, present, show, those)));
    if (compared.show || everything)
      deliveries.push(...(await compareOnlyShow(tx, present, show, told)));
  } else {
    await markStaleEpisodes(tx.db, podcastId, episodeIds);
  }
  // Sent when the public can see the show.
  for (let at = 0; at < imports; at += 1)
    deliveries.push({ type: 'import.finished', subjectId: podcastId, episodeId: null });
  await insertDeliveries(tx.db, podcastId, deliveries, tx.clock.now());
}

async function compareEpisodes(
  tx: Context,
  present: WebhookPresenter,
  show: PublicPodcast,
  { episodeIds, publications, everything }: Compared,
): Promise<NewDelivery[]> {
  const told = await selectToldEpisodes(tx.db, show.id, episodeIds);
  const deliveries: NewDelivery[] = [];
  for (const id of episodeIds) {
    const type = await compareEpisode(tx, present, show, { id, hash: told.get(id) });
    if (type !== undefined) deliveries.push(ofEpisode(type, id));
  }
  if (!publications && !everything) return deliveries;
  const now = tx.clock.now();
  const gone = await deleteGoneEpisodes(tx.db, show.id, now);
  const added = await insertMissingEpisodes(tx.db, show.id, now);
  // Of thousands of them, the contents are read later, in parts.
  for (const id of added.slice(0, comparedAtOnce))
    await compareEpisode(tx, present, show, { id, hash: null });
  deliveries.push(...gone.map((id) => ofEpisode('episode.unpublished', id)));
  deliveries.push(...added.map((id) => ofEpisode('episode.published', id)));
  return deliveries;
}

type EpisodeType = 'episode.published' | 'episode.updated' | 'episode.unpublished';

const ofEpisode = (type: EpisodeType, id: string): NewDelivery => ({
  type,
  subjectId: id,
  episodeId: id,
});

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
