import { archiveEpisode } from '../domain/episodes/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';
import { readEpisodeId } from './option-values.ts';
import { presentEpisode } from './present.ts';

export const episodeArchive = defineAppCommand({
  name: 'episode archive',
  about: 'Puts an episode away: it is no longer public.',
  operands: { id: { about: 'the episode' } },
  async run(app, { id }, io) {
    printJson(io, presentEpisode(await archiveEpisode(app.ctx, readEpisodeId(id))));
  },
});
