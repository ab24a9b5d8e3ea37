import {
  artworkWarnings,
  attachImage,
  findImageBySource,
  setEpisodeArtwork,
  setPodcastArtwork,
} from '../media/index.ts';
import { findOrAddPerson } from '../people/index.ts';
import { getPodcast } from '../podcasts/index.ts';
import type { ParsedPerson } from './feed/parsed-feed.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import type { ImportedItem } from './import-items.ts';
import type { ItemRef } from './import-report.ts';
import { countPhase, explainFailure, type ImportRun } from './import-run.ts';

/** Somewhere that a picture belongs. */
interface Use {
  readonly what: string;
  readonly item?: ItemRef | undefined;
  set(imageId: string): Promise<void>;
}

/** Fetches each picture once, whatever shows it. One that cannot be had is a warning. */
export async function importImages(
  run: ImportRun,
  show: { readonly imageUrl: string | undefined; readonly withoutPhoto: readonly ParsedPerson[] },
  items: readonly ImportedItem[],
): Promise<void> {
  const uses = new Map<string, Use[]>();
  const add = (url: string | undefined, use: Use) => {
    if (url !== undefined) uses.set(url, [...(uses.get(url) ?? []), use]);
  };
  const podcast = await getPodcast(run.ctx, run.podcastId);
  add(show.imageUrl, useAsArtwork(run, podcast.artworkId));
  for (const { name, img } of show.withoutPhoto) add(img, useAsPhoto(run, name));
  for (const item of items) {
    add(item.item.imageUrl, useInEpisode(run, item));
    for (const person of withoutPhoto(item)) add(person.img, useAsPhoto(run, person.name));
  }
  const count = countPhase(run, 'images', uses.size);
  await forEachConcurrently([...uses], run.limits.concurrentTransfers, async ([url, places]) => {
    await importImage(run, url, places, url === show.imageUrl);
    count();
  });
}

async function importImage(
  run: ImportRun,
  url: string,
  uses: readonly Use[],
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
  const known = await findImageBySource(ctx, podcastId, url);
  if (known !== undefined) return known;
  const bytes = await transfers.bytes(url, limits.imageBytes);
  const image = await attachImage(ctx, { podcastId, bytes, sourceUrl: url });
  const warnings = isArtwork ? artworkWarnings(image) : [];
  for (const message of warnings) report.warn({ reason: 'artwork_size', message });
  return image.id;
}

function useAsArtwork({ ctx, podcastId }: ImportRun, current: string | null): Use {
  return {
    what: "The show's artwork",
    async set(imageId) {
      if (imageId !== current) await setPodcastArtwork(ctx, podcastId, imageId);
    },
  };
}

function useInEpisode(run: ImportRun, { key, ref, episodeId, known }: ImportedItem): Use {
  return {
    what: 'Its picture',
    item: ref,
    async set(imageId) {
      if (imageId === known?.artworkId) return;
      await setEpisodeArtwork(run.ctx, episodeId, imageId);
      run.report.outcome(key, 'updated');
    },
  };
}

/** Only for who has none yet: a photo that the show's makers have chosen stays. */
function useAsPhoto({ ctx, podcastId }: ImportRun, name: string): Use {
  return {
    what: `The photo of ${name}`,
    set: async (photoId) => {
      await findOrAddPerson(ctx, { podcastId, name, photoId });
    },
  };
}

function withoutPhoto({ item, known }: ImportedItem): ParsedPerson[] {
  const complete = new Set(
    known?.credits.filter(({ hasPhoto }) => hasPhoto).map(({ name }) => name.toLowerCase()),
  );
  return item.people.filter(
    ({ img, name }) => img !== undefined && !complete.has(name.toLowerCase()),
  );
}
