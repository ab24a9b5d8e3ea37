import { deleteEpisode } from '../domain/media/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';
import { readEpisodeId } from './option-values.ts';
import { presentEpisode } from './present.ts';

export const episodeDelete = defineAppCommand({
  name: 'episode delete',
  about: 'Removes an episode with all that hangs on it.',
  operands: { id: { about: 'the episode' } },
  async run(app, { id }, io) {
    printJson(io, presentEpisode(await deleteEpisode(app.ctx, readEpisodeId(id))));
  },
});
