import { printJson } from './command-io.ts';
import { describePodcast } from './describe-podcast.ts';
import { getPodcastByRef } from './get-podcast-by-ref.ts';
import type { PodcastRuns } from './podcast-commands.ts';

export const show: PodcastRuns['show'] = async ({ ctx }, { podcast }, io) => {
  printJson(io, await describePodcast(ctx, await getPodcastByRef(ctx, podcast)));
};
