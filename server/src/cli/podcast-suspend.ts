import { getPodcast, suspendPodcast } from '../domain/podcasts/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import { getPodcastByRef } from './get-podcast-by-ref.ts';
import type { PodcastSuspend } from './podcast-commands.ts';

export const run: RunOnApp<PodcastSuspend> = async ({ ctx }, args, io) => {
  const { id } = await getPodcastByRef(ctx, args.slug);
  await suspendPodcast(ctx, id);
  const { slug, status } = await getPodcast(ctx, id);
  printJson(io, { id, slug, status });
};
