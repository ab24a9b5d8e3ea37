import { getEpisode } from '../domain/episodes/index.ts';
import { deleteEpisode } from '../domain/media/index.ts';
import { getPodcast } from '../domain/podcasts/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson, printLine } from './command-io.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import type { EpisodeDelete } from './episode-commands.ts';
import { readEpisodeId } from './option-values.ts';
import { presentEpisode } from './present.ts';

export const run: RunOnApp<EpisodeDelete> = async ({ ctx }, { id, yes }, io) => {
  const episodeId = readEpisodeId(id);
  const { title, slug, podcastId } = await getEpisode(ctx, episodeId);
  const podcast = await getPodcast(ctx, podcastId);
  const name = `the episode ${JSON.stringify(title)} (${slug}) of ${podcast.slug}`;
  const what = `${name} with its audio, transcripts and chapters`;
  // The contract lists the command without an option, so scripts need none.
  await confirmDeletion(io, { what, isConfirmed: yes, unasked: 'delete' });
  const deleted = await deleteEpisode(ctx, episodeId);
  printLine(io, `Deleted ${what}.`);
  printJson(io, { ...presentEpisode(deleted), deleted: true });
};
