import { discardDocuments, findDocuments } from '../../exchange/imports/index.ts';
import { lockProvenUser, proveCurrentPassword } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { requireUser } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { purgeStorage } from '../../foundation/storage/index.ts';
import { deleteEpisodesOfPodcast } from '../../publishing/episodes/index.ts';
import {
  deletePodcastRows,
  getPodcast,
  lockForDeletion,
  type Podcast,
} from '../../publishing/podcasts/index.ts';

/** Deleting many episodes, or long transcripts, with one statement would exceed its time limit. */
const mostAtOnce = { episodes: 200, bytes: 20_000_000 };

export interface DeletedPodcast {
  readonly podcast: Podcast;
  readonly episodes: number;
}

/**
 * Deletes a podcast with its episodes, people and everything else, in one transaction. Its files are
 * swept later, except the feed of a running import, which may contain URLs with tokens.
 */
export async function deletePodcast(
  ctx: Context,
  podcastId: string,
  /** Runs first in the transaction. If it throws, nothing is deleted. */
  begin?: (tx: Context) => Promise<void>,
): Promise<DeletedPodcast> {
  const { documents, ...deleted } = await transact(ctx, async (tx) => {
    await begin?.(tx);
    await lockForDeletion(tx, podcastId);
    const documents = await findDocuments(tx, podcastId);
    await purgeStorage(tx.db, podcastId);
    const episodes = await deleteEpisodes(tx, podcastId);
    return { podcast: await deletePodcastRows(tx, podcastId), episodes, documents };
  });
  await discardDocuments(ctx, documents).catch((err: unknown) => {
    ctx.log.warn({ err, podcastId }, 'the stored feed of an import was not deleted with its show');
  });
  return deleted;
}

/** How many there were. */
async function deleteEpisodes({ db }: Context, podcastId: string): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await deleteEpisodesOfPodcast(db, podcastId, mostAtOnce);
    if (deleted === 0) return total;
    total += deleted;
  }
}

export interface OwnDeletion extends Expectation {
  /** The podcast's current slug, typed by its owner. */
  readonly slug: string;
  readonly currentPassword: string;
}

/** Deletes a podcast for ever, with all that belongs to it, if its owner names it and proves who they are. */
export async function deleteOwnPodcast(
  ctx: Context,
  podcastId: string,
  { slug, currentPassword, ...expectation }: OwnDeletion,
): Promise<DeletedPodcast> {
  const userId = requireUser(ctx);
  await authorize(ctx, 'podcast.delete', { podcastId });
  const podcast = await getPodcast(ctx, podcastId);
  if (slug !== podcast.slug) {
    throw invalid('slug', sayRefusal('wrong_slug', { slug: podcast.slug }), 'wrong_slug');
  }
  const proof = await proveCurrentPassword(ctx, userId, currentPassword);
  return deletePodcast(ctx, podcastId, async (tx) => {
    await lockProvenUser(tx, proof);
    await revise(tx, { podcastId }, [], expectation);
  });
}
