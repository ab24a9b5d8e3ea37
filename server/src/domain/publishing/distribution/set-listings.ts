import { type Context, transact } from '../../foundation/context.ts';
import { notFound, refuseWrong } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { lockPodcast } from '../podcasts/index.ts';
import { replaceListings, selectListings } from './directories.sql.ts';
import { checkListings, type Directory, directories, type Listing } from './directory.ts';

/** Every directory, and how far the show has come there. */
export async function readListings(
  ctx: Context,
  podcastId: string,
): Promise<(Directory & Listing)[]> {
  await authorize(ctx, 'podcast.read', { podcastId });
  const listings = await selectListings(ctx.db, podcastId);
  return directories.map((directory) => {
    const listing = listings.find((one) => one.directory === directory.id);
    return { status: 'todo', url: null, ...listing, ...directory, directory: directory.id };
  });
}

/** Sets how far a show has come in each directory; those left out are to do. */
export async function setListings(
  ctx: Context,
  podcastId: string,
  given: readonly Listing[],
  expectation?: Expectation,
): Promise<void> {
  await authorize(ctx, 'podcast.edit', { podcastId });
  refuseWrong('The directories were not saved.', checkListings(given));
  const listings = given
    .filter(({ status, url }) => status !== 'todo' || url !== null)
    .map(({ directory, status, url }) => {
      return { directory, status, url: url === null ? null : new URL(url).href };
    });
  await transact(ctx, async (tx) => {
    if ((await lockPodcast(tx.db, podcastId)) === undefined) throw notFound('podcast');
    await revise(tx, { podcastId }, ['directories'], expectation);
    await replaceListings(tx.db, podcastId, listings, tx.clock.now());
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
  });
}
