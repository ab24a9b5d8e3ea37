import { forEachConcurrently } from '../../../../lib/for-each-concurrently.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import {
  artworkWarnings,
  attachImage,
  reuseImageBySource,
  setEpisodeArtwork,
  setPodcastArtwork,
} from '../../../publishing/images/index.ts';
import { findOrAddPerson, findPerson } from '../../../publishing/people/index.ts';
import { getPodcast } from '../../../publishing/podcasts/index.ts';
import { countPhase, explainFailure, type ImportRun } from '../import-run.ts';
import { mergeImported } from '../match/known-identities.sql.ts';
import { describeAddress, describePicture } from '../plan/describe-parts.ts';
import { hashValue, isChangedHere, type KeptValue, printOf } from '../plan/imported-values.ts';
import { type PictureUse, PictureUses } from '../plan/picture-uses.ts';
import type { ParsedPerson } from '../read/feed/parsed-feed.ts';
import type { ImportedItem } from './import-items.ts';
import { mergePart } from './merge-part.ts';

/** Fetches each image once for all its uses. A failure is a warning. */
export async function importImages(
  run: ImportRun,
  show: { readonly imageUrl: string | undefined; readonly withoutPhoto: readonly ParsedPerson[] },
  items: readonly ImportedItem[],
): Promise<void> {
  const podcast = await getPodcast(run.ctx, run.podcastId);
  const uses = new PictureUses();
  uses.add(show.imageUrl, 'artwork', () => useAsArtwork(run, podcast.artworkId, show.imageUrl));
  const addPhoto = ({ name, img }: ParsedPerson) => {
    // The imported photo was removed here, or the person does not fit into the show.
    if (run.people.wasImported('photo', name) || run.people.isMissing(name)) return;
    uses.add(img, `photo ${name.toLowerCase()}`, () => useAsPhoto(run, name));
  };
  show.withoutPhoto.forEach(addPhoto);
  for (const item of items.filter((one) => one.item.hasPictures)) {
    run.signal.throwIfAborted();
    const { imageUrl, people } = await run.feed.item(item.item);
    uses.add(imageUrl, item.episodeId, () => useInEpisode(run, item, imageUrl));
    const complete = new Set(item.known?.withPhoto);
    for (const person of people.filter(({ img }) => img !== undefined)) {
      if (!complete.has(person.name.toLowerCase())) addPhoto(person);
      run.people.note('photo', person.name);
    }
  }
  const count = countPhase(run, 'images', uses.size);
  await forEachConcurrently([...uses], run.limits.concurrentTransfers, async ([url, places]) => {
    await importImage(run, url, [...places.values()], url === show.imageUrl);
    await count();
  });
  await run.people.keep(run.ctx, run.podcastId);
}

async function importImage(
  run: ImportRun,
  url: string,
  uses: readonly PictureUse[],
  isArtwork: boolean,
): Promise<void> {
  try {
    const imageId = await fetchImage(run, url, isArtwork);
    for (const use of uses) await use.set(imageId);
  } catch (error) {
    const { reason, message } = await explainFailure(run, error);
    const [{ what, item } = { what: 'A picture', item: undefined }] = uses;
    run.report.warn({ reason, message: `${what} could not be fetched: ${message}` }, item);
  }
}

async function fetchImage(run: ImportRun, url: string, isArtwork: boolean): Promise<string> {
  const { ctx, podcastId, limits, transfers, report } = run;
  const known = await reuseImageBySource(ctx, podcastId, url);
  if (known !== undefined) return known;
  const bytes = await transfers.bytes(url, limits.imageBytes);
  const image = await attachImage(ctx, { podcastId, bytes, sourceUrl: url });
  const warnings = isArtwork ? artworkWarnings(image) : [];
  for (const message of warnings) report.warn({ reason: 'artwork_size', message });
  return image.id;
}

function useAsArtwork(run: ImportRun, here: string | null, url: string | undefined): PictureUse {
  const { ctx, podcastId, showRules, report } = run;
  return {
    what: "The show's artwork",
    async set(imageId) {
      if (imageId !== here && isChangedHere(showRules, 'artwork', here)) {
        report.keep([{ field: 'artwork', ...(await describeUse(ctx, here, url)) }]);
        return;
      }
      const brought = { artwork: hashValue(imageId) };
      if (imageId === here && showRules.imported?.['artwork'] === brought.artwork) return;
      await transact(ctx, async (tx) => {
        if (imageId !== here) await setPodcastArtwork(tx, podcastId, imageId);
        await mergeImported(tx.db, 'podcasts', podcastId, brought);
      });
    },
  };
}

function useInEpisode(
  run: ImportRun,
  imported: ImportedItem,
  imageUrl: string | undefined,
): PictureUse {
  const { ref, episodeId, known } = imported;
  return {
    what: 'Its picture',
    item: ref,
    async set(imageId) {
      const here = known?.artworkId;
      const part = {
        field: 'artwork',
        here: printOf(here),
        source: printOf(imageId),
        words: () => describeUse(run.ctx, here, imageUrl),
      };
      await mergePart(run, imported, part, (tx) => setEpisodeArtwork(tx, episodeId, imageId));
    },
  };
}

async function describeUse(
  ctx: Context,
  here: string | null | undefined,
  url: string | undefined,
): Promise<Omit<KeptValue, 'field'>> {
  return { here: await describePicture(ctx, here), source: describeAddress(url ?? '') };
}

/** Only for people without a photo; a photo chosen here stays. */
function useAsPhoto({ ctx, podcastId, people }: ImportRun, name: string): PictureUse {
  return {
    what: `The photo of ${name}`,
    set: async (photoId) => {
      const known = await findPerson(ctx, podcastId, name);
      // Removed here in the meantime.
      if (known === undefined) return;
      const person = await findOrAddPerson(ctx, { podcastId, name, photoId });
      if (person.photoId === photoId) people.note('photo', name);
    },
  };
}
