import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import { describePodcast } from './describe-podcast.ts';
import { getPodcastByRef } from './get-podcast-by-ref.ts';
import type { PodcastShow } from './podcast-commands.ts';

export const run: RunOnApp<PodcastShow> = async ({ ctx }, { podcast }, io) => {
  printJson(io, await describePodcast(ctx, await getPodcastByRef(ctx, podcast)));
};
