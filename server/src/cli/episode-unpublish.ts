import { unpublishEpisode } from '../domain/episodes/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';
import { readEpisodeId } from './option-values.ts';
import { presentEpisode } from './present.ts';

export const episodeUnpublish = defineAppCommand({
  name: 'episode unpublish',
  about: 'Makes an episode a draft again.',
  operands: { id: { about: 'the episode' } },
  async run(app, { id }, io) {
    printJson(io, presentEpisode(await unpublishEpisode(app.ctx, readEpisodeId(id))));
  },
});
