import {
  changePodcast,
  checkPodcastChange,
  podcastChangeFields,
  readPodcastChange,
} from '../domain/seeding/changes/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import { describePodcast } from './describe-podcast.ts';
import { podcastFieldsElsewhere } from './fields-elsewhere.ts';
import { getPodcastByRef } from './get-podcast-by-ref.ts';
import { findArtworkWarnings, listCategoryWarnings, printWarnings } from './listing-warnings.ts';
import type { PodcastSet } from './podcast-commands.ts';
import { readTypedValues, refuseTypedValues } from './read-typed-values.ts';

export const run: RunOnApp<PodcastSet> = async ({ ctx }, { podcast, values }, io) => {
  const folder = { path: io.cwd };
  const typed = readTypedValues(values, podcastChangeFields, podcastFieldsElsewhere);
  const { change, problems } = await readPodcastChange(typed, folder);
  refuseTypedValues(problems, checkPodcastChange(change));
  const { id } = await getPodcastByRef(ctx, podcast);
  io.signal.throwIfAborted();
  const changed = await changePodcast(ctx, id, change, folder);
  if (change.artwork !== undefined) {
    printWarnings(io, await findArtworkWarnings(ctx, changed.artworkId));
  }
  if (change.category !== undefined || change.subcategory !== undefined) {
    printWarnings(io, listCategoryWarnings(changed));
  }
  printJson(io, await describePodcast(ctx, changed));
};
