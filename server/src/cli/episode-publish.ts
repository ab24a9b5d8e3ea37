import { publishEpisode } from '../domain/episodes/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { EpisodePublish } from './episode-commands.ts';
import { readEpisodeId } from './option-values.ts';
import { presentEpisode } from './present.ts';
import { sayPrivateTranscripts } from './say-private-transcripts.ts';

export const run: RunOnApp<EpisodePublish> = async ({ ctx }, { id }, io) => {
  const episode = await publishEpisode(ctx, readEpisodeId(id));
  await sayPrivateTranscripts(ctx, io, episode);
  printJson(io, presentEpisode(episode));
};
