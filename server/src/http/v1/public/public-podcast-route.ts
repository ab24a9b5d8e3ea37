import Type from 'typebox';
import { countEpisodes } from '../../../domain/public/catalogue/index.ts';
import { cachedJson } from '../../cache/cached.ts';
import { podcastSlug } from '../../requests/parameters.ts';
import { defineRoute } from '../../route.ts';
import { presentPodcast } from '../present-public.ts';
import { PublicPodcast } from '../public-schemas.ts';
import { publicResponses } from '../responses.ts';

export const podcastRoute = defineRoute({
  method: 'GET',
  path: '/v1/podcasts/:slug',
  access: 'public',
  params: Type.Object({ slug: podcastSlug }),
  operation: {
    id: 'getPodcast',
    tag: 'Podcasts',
    summary: 'A podcast',
    description: 'By its slug or its UUID. Old slugs are not found.',
    responses: publicResponses('The podcast.', Type.Object({ data: PublicPodcast })),
    errors: [403, 404],
  },
  async handle(http, { params, reply }) {
    const show = await http.podcasts.get(params.slug, 'api');
    return cachedJson(http, reply, show, 'podcast', async () => ({
      data: presentPodcast(http.ctx.installation, show, await countEpisodes(http.ctx, show)),
    }));
  },
});
