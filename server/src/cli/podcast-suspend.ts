import { getPodcast, getPodcastBySlug, suspendPodcast } from '../domain/podcasts/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';

export const podcastSuspend = defineAppCommand({
  name: 'podcast suspend',
  about: 'Withholds a show from the public; its feed stays.',
  operands: { slug: { about: 'the podcast' } },
  async run(app, { slug }, io) {
    const { id } = await getPodcastBySlug(app.ctx, slug);
    await suspendPodcast(app.ctx, id);
    const { status } = await getPodcast(app.ctx, id);
    printJson(io, { id, slug, status });
  },
});
