import { getPodcast, getPodcastBySlug, resumePodcast } from '../domain/podcasts/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';

export const podcastResume = defineAppCommand({
  name: 'podcast resume',
  about: 'Ends a suspension or a pause: the show is again what it was before.',
  operands: { slug: { about: 'the podcast' } },
  async run(app, { slug }, io) {
    const { id } = await getPodcastBySlug(app.ctx, slug);
    await resumePodcast(app.ctx, id);
    const { status } = await getPodcast(app.ctx, id);
    printJson(io, { id, slug, status });
  },
});
