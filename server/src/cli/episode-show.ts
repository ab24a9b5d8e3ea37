import { getEpisode } from '../domain/publishing/episodes/index.ts';
import { printJson } from './command-io.ts';
import { describeEpisode } from './describe-episode.ts';
import type { EpisodeRuns } from './episode-commands.ts';
import { readEpisodeId } from './option-values.ts';

export const show: EpisodeRuns['show'] = async ({ ctx }, { id }, io) => {
  printJson(io, await describeEpisode(ctx, await getEpisode(ctx, readEpisodeId(id))));
};
