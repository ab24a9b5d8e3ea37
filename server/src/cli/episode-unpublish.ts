import { unpublishEpisode } from '../domain/episodes/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { EpisodeUnpublish } from './episode-commands.ts';
import { readEpisodeId } from './option-values.ts';
import { presentEpisode } from './present.ts';

export const run: RunOnApp<EpisodeUnpublish> = async (app, { id }, io) => {
  printJson(io, presentEpisode(await unpublishEpisode(app.ctx, readEpisodeId(id))));
};
