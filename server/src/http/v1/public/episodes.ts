import Type from 'typebox';
import { type EpisodeType, episodeTypes } from '../../../domain/foundation/enumerations.ts';
import { notFound } from '../../../domain/foundation/errors.ts';
import { listPublicEpisodes } from '../../../domain/public/catalogue/index.ts';
import { cachedJson } from '../../cached.ts';
import { openPage } from '../../requests/page-request.ts';
import { cursor, pageSize, podcastSlug } from '../../requests/parameters.ts';
import { byPublication } from '../../requests/positions.ts';
import { defineRoute } from '../../route.ts';
import { presentEpisode } from '../present.ts';
import { publicResponses } from '../responses.ts';
import { Pagination, PublicEpisode } from '../schemas.ts';

const type = Type.Optional(
  Type.String({
    pattern: '^(?:full|trailer|bonus)(?:,(?:full|trailer|bonus))*$',
    description: 'Only these kinds: full, trailer, bonus, separated by commas',
    examples: ['full,bonus'],
  }),
);
const season = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 9999,
    description: 'Only this season; 1 also finds episodes without one',
    examples: [1],
  }),
);

const path = '/v1/podcasts/:slug/episodes';
const parameters = Type.Object({ limit: pageSize(50), cursor, season, type });

export const episodesRoute = defineRoute({
  method: 'GET',
  path,
  access: 'public',
  params: Type.Object({ slug: podcastSlug }),
  query: parameters,
  operation: {
    id: 'listEpisodes',
    tag: 'Episodes',
    summary: "A podcast's episodes, newest first",
    description:
      'Sorted by `published_at`, then `id`, descending. A cursor is valid only with the same filters; `limit` may change.',
    responses: publicResponses(
      'A page of episodes.',
      Type.Object({
        data: Type.Array(PublicEpisode, { description: 'Newest first.' }),
        pagination: Pagination,
      }),
    ),
    errors: [403, 404],
  },
  async check(http, input) {
    const { slug, type } = { ...input.params, ...input.query };
    if (slug === undefined) throw notFound('podcast');
    const types = type === undefined ? undefined : readTypes(type);
    const show = await http.podcasts.get(slug, 'api');
    const query = { ...input.query, type: types };
    const page = openPage(http, { path, parameters, of: show.id }, { ...input, query });
    return { show, types, page };
  },
  async handle(http, { query, checked: { show, types, page }, reply }) {
    const { season } = query;
    const compute = () =>
      page.read(
        byPublication,
        (wanted) => listPublicEpisodes(http.ctx, show, { ...wanted, season, types }),
        (episode) => presentEpisode(http.ctx.installation, show, episode),
      );
    // Filtered pages bypass the payload cache (PUB-8).
    if (types !== undefined || season !== undefined) {
      return { kind: 'json', body: await compute() };
    }
    const key = `episodes ${page.limit} ${page.after?.join(' ') ?? ''}`;
    return cachedJson(http, reply, show, key, compute);
  },
});

/** Sorts the set of types, so that the same set is the same filter. */
function readTypes(text: string): EpisodeType[] {
  const wanted = text.split(',');
  return episodeTypes.filter((candidate) => wanted.includes(candidate));
}
