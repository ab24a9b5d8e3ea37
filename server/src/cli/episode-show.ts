import { getEpisode } from '../domain/episodes/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import { describeEpisode } from './describe-episode.ts';
import type { EpisodeShow } from './episode-commands.ts';
import { readEpisodeId } from './option-values.ts';

export const run: RunOnApp<EpisodeShow> = async ({ ctx }, { id }, io) => {
  printJson(io, await describeEpisode(ctx, await getEpisode(ctx, readEpisodeId(id))));
};
