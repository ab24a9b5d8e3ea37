import type { Geo } from '../../../platform/geo/geo.ts';
import { ingestObserved, type ObservedRequest } from '../../audience/downloads/index.ts';
import type { Context } from '../../foundation/context.ts';
import { createEpisodeFinder } from './find-episode.ts';
import type { MadePodcast } from './make-podcast.ts';
import { readDownload } from './read-download.ts';
import type { PodcastEntry, SeedFile } from './schema.ts';
import { getByRef, type SeedInputs } from './seed-inputs.ts';

export interface MadeDownloads {
  readonly requests: number;
  readonly counted: number;
}

/** Counts a file's downloads as if they had been requests. Call it in a transaction. */
export async function makeDownloads(
  ctx: Context,
  geo: Geo,
  seedFile: SeedFile,
  made: SeedInputs & { readonly podcasts: ReadonlyMap<string, MadePodcast> },
): Promise<MadeDownloads> {
  if ((seedFile.downloads ?? []).length === 0) return { requests: 0, counted: 0 };
  return await ingestObserved(ctx, geo, () => listRequests(seedFile, made), made.signal);
}

/** One after the other: `times` may be large. */
function* listRequests(
  { podcasts = [], downloads = [] }: SeedFile,
  made: SeedInputs & { readonly podcasts: ReadonlyMap<string, MadePodcast> },
): Generator<ObservedRequest> {
  const find = createEpisodeFinder(podcasts.map(withPaths));
  for (const entry of downloads) {
    const found = find(entry.episode);
    if (typeof found === 'string') throw new Error(`no episode ${entry.episode}`);
    const { id: podcastId, episodes } = getByRef(made.podcasts, found.podcast);
    const { sha256: hash, ...facts } = getByRef(made.audio, found.episode.path).facts;
    const episodeId = episodes[found.episode.ref]?.id ?? '';
    const request = readDownload(entry, made, { podcastId, episodeId, file: { hash, ...facts } });
    for (let time = 0; time < (entry.times ?? 1); time += 1) yield request;
  }
}

/** Audio is kept under the path of its episode. */
function withPaths({ ref, episodes = [] }: PodcastEntry, index: number) {
  const paths = episodes.map(({ ref }, number) => ({
    ref,
    path: `podcasts[${index}].episodes[${number}]`,
  }));
  return { ref, episodes: paths };
}
