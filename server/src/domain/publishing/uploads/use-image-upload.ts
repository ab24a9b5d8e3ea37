import { createHash } from 'node:crypto';
import type { FileSource } from '../../../platform/processes/job.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { getEpisode } from '../episodes/index.ts';
import {
  type AttachedImage,
  attachStoredImage,
  type NewImage,
  setEpisodeArtwork,
  setHeaderImage,
  setPodcastArtwork,
  storeImage,
} from '../images/index.ts';
import { type OnePerson, setPersonPhoto } from '../people/index.ts';
import { getPodcast } from '../podcasts/index.ts';
import {
  claimFinished,
  type FinishedUpload,
  type Revised,
  type SentFile,
  type UploadUse,
} from './claim-finished.ts';

/**
 * Makes an uploaded picture the episode's artwork. Throws, and removes the file, if it is not
 * usable.
 */
export async function useEpisodeArtwork(
  ctx: Context,
  { episodeId, ...sent }: SentFile & { readonly episodeId: string },
  expectation?: Expectation,
): Promise<AttachedImage & Revised> {
  const { podcastId } = await authorize(ctx, 'episode.edit', { episodeId });
  // Checked here too, before a picture is stored.
  await transact(ctx, (tx) => revise(tx, { episodeId }, [], expectation));
  const use = { ...sent, podcastId, episodeId };
  return await useImage(ctx, { ...use, action: 'episode.edit' }, async (tx, { id }) => {
    await setEpisodeArtwork(tx, episodeId, id, expectation);
    return await getEpisode(tx, episodeId);
  });
}

/** The same for the podcast's own artwork. */
export const usePodcastArtwork = useForPodcast(setPodcastArtwork);

/** The same for the picture behind the title on its page. */
export const useHeaderImage = useForPodcast(setHeaderImage, { isWide: true });

function useForPodcast(set: typeof setPodcastArtwork, { isWide }: Pick<NewImage, 'isWide'> = {}) {
  return async (
    ctx: Context,
    { podcastId, ...sent }: SentFile & { readonly podcastId: string },
    expectation?: Expectation,
  ): Promise<AttachedImage & Revised> => {
    await authorize(ctx, 'podcast.edit', { podcastId });
    await transact(ctx, (tx) => revise(tx, { podcastId }, [], expectation));
    const use = { ...sent, podcastId, episodeId: null };
    return await useImage(ctx, { ...use, isWide, action: 'podcast.edit' }, async (tx, { id }) => {
      await set(tx, podcastId, id, expectation);
      return await getPodcast(tx, podcastId);
    });
  };
}

/** The same for the photo of a person whom the podcast credits. */
export async function usePersonPhoto(
  ctx: Context,
  { podcastId, personId, ...sent }: SentFile & OnePerson,
  expectation?: Expectation,
): Promise<AttachedImage & Revised> {
  await authorize(ctx, 'people.edit', { podcastId });
  await transact(ctx, (tx) => revise(tx, { podcastId }, [], expectation));
  const use = { ...sent, podcastId, episodeId: null };
  return await useImage(ctx, { ...use, action: 'people.edit' }, async (tx, { id }) => {
    await setPersonPhoto(tx, { podcastId, personId }, id, expectation);
    return await getPodcast(tx, podcastId);
  });
}

async function useImage(
  ctx: Context,
  { action, isWide, ...use }: Omit<UploadUse, 'purpose'> & Pick<NewImage, 'action' | 'isWide'>,
  set: (tx: Context, image: AttachedImage) => Promise<Revised>,
): Promise<AttachedImage & Revised> {
  await using finished = await claimFinished(ctx, { ...use, purpose: 'image' });
  const { podcastId } = use;
  const picture = { podcastId, file: uploadedFile(ctx, finished), action, isWide };
  return await finished.use(
    (storing) => finished.check(() => storeImage(storing, picture)),
    async (tx, stored) => {
      const image = await attachStoredImage(tx, stored, { isReserved: true });
      return { ...image, revision: (await set(tx, image)).revision };
    },
  );
}

/**
 * The file, for a child process. It is opened in its turn, because many files may wait for theirs.
 * Throws at its end if it is damaged.
 */
export function uploadedFile(ctx: Context, { key, sha256, refuse }: FinishedUpload): FileSource {
  return async function* () {
    const hash = createHash('sha256');
    for await (const chunk of await ctx.blobs.read(key)) {
      hash.update(chunk);
      yield chunk;
    }
    if (sha256 === null || hash.digest('hex') === sha256) return;
    throw await refuse(sayRefusal('file_damaged'), 'checksum');
  };
}
