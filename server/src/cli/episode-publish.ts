import { publishEpisode } from '../domain/episodes/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';
import { readEpisodeId } from './option-values.ts';
import { presentEpisode } from './present.ts';

export const episodePublish = defineAppCommand({
  name: 'episode publish',
  about: 'Publishes an episode now; publishing again keeps its first date.',
  operands: { id: { about: 'the episode' } },
  async run(app, { id }, io) {
    printJson(io, presentEpisode(await publishEpisode(app.ctx, readEpisodeId(id))));
  },
});
