import Type from 'typebox';
import { countEpisodes } from '../../../domain/catalogue/index.ts';
import { cachedJson } from '../../cached.ts';
import { defineRoute } from '../../route.ts';
import { podcastSlug } from '../parameters.ts';
import { presentPodcast } from '../present.ts';
import { publicResponses } from '../responses.ts';
import { PublicPodcast } from '../schemas.ts';

export const podcastRoute = defineRoute({
  method: 'GET',
  path: '/v1/podcasts/:slug',
  access: 'public',
  params: Type.Object({ slug: podcastSlug }),
  operation: {
    id: 'getPodcast',
    tag: 'Podcasts',
    summary: 'A podcast',
    description: 'By its slug or its UUID. An old slug is unknown here.',
    responses: publicResponses('The podcast.', Type.Object({ data: PublicPodcast })),
    errors: [403, 404],
  },
  async handle(web, { params, reply }) {
    const show = await web.shows.get(params.slug, 'api');
    return cachedJson(web, reply, show, 'podcast', async () => ({
      data: presentPodcast(web.ctx.installation, show, await countEpisodes(web.ctx, show)),
    }));
  },
});
