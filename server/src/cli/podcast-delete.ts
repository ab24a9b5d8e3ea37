import { deletePodcast } from '../domain/media/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson, printLine } from './command-io.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import { getPodcastByRef } from './get-podcast-by-ref.ts';
import type { PodcastDelete } from './podcast-commands.ts';

export const run: RunOnApp<PodcastDelete> = async ({ ctx }, args, io) => {
  const { id, slug, title } = await getPodcastByRef(ctx, args.podcast);
  const what = `the podcast ${JSON.stringify(title)} (${slug}) with all its episodes, files and people`;
  await confirmDeletion(io, { what, isConfirmed: args.yes, unasked: 'refuse' });
  const { episodes } = await deletePodcast(ctx, id);
  printLine(io, `Deleted ${what}.`);
  printJson(io, { id, slug, title, episodes, deleted: true });
};
