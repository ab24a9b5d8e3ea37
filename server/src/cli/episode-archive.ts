import { archiveEpisode } from '../domain/episodes/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { EpisodeArchive } from './episode-commands.ts';
import { readEpisodeId } from './option-values.ts';
import { presentEpisode } from './present.ts';

export const run: RunOnApp<EpisodeArchive> = async (app, { id }, io) => {
  printJson(io, presentEpisode(await archiveEpisode(app.ctx, readEpisodeId(id))));
};
