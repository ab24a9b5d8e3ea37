import Type from 'typebox';
import {
  type EpisodePosition,
  type EpisodeQuery,
  listPublicEpisodes,
  type Show,
} from '../../../domain/catalogue/index.ts';
import { type EpisodeType, episodeTypes } from '../../../domain/episodes/index.ts';
import type { CursorPosition } from '../../../lib/cursor.ts';
import { cachedJson } from '../../cached.ts';
import { defineRoute } from '../../route.ts';
import type { Web } from '../../web.ts';
import { openPage, type PageRequest } from '../page-request.ts';
import { cursor, pageSize, podcastSlug } from '../parameters.ts';
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
      'By `published_at`, then `id`, descending. Filters stay the same on all pages: a cursor belongs to the filters it was made with. `limit` may change.',
    responses: publicResponses(
      'A page of episodes.',
      Type.Object({
        data: Type.Array(PublicEpisode, { description: 'Newest first.' }),
        pagination: Pagination,
      }),
    ),
    errors: [403, 404],
  },
  async handle(web, { params, query, reply }) {
    const show = await web.shows.get(params.slug, 'api');
    const types = query.type === undefined ? undefined : readTypes(query.type);
    const page = openPage(web, { path, parameters, of: show.id }, { ...query, type: types });
    const compute = () => readPage(web, show, page, { season: query.season, types });
    // Filtered pages bypass the payload cache (contract, "Public", rule 2).
    if (types !== undefined || query.season !== undefined) {
      return { kind: 'json', body: await compute() };
    }
    return cachedJson(web, reply, show, `episodes ${page.limit} ${query.cursor ?? ''}`, compute);
  },
});

async function readPage(
  web: Web,
  show: Show,
  { limit, after, next }: PageRequest,
  filters: Pick<EpisodeQuery, 'season' | 'types'>,
) {
  const query = { ...filters, limit, after: after && toPosition(after) };
  const episodes = await listPublicEpisodes(web.ctx, show, query);
  return {
    data: episodes.items.map((episode) => presentEpisode(web.ctx.installation, show, episode)),
    pagination: next(episodes.next && fromPosition(episodes.next)),
  };
}

/** The set of types in one order, so that the same set is the same filter. */
function readTypes(text: string): EpisodeType[] {
  const wanted = text.split(',');
  return episodeTypes.filter((candidate) => wanted.includes(candidate));
}

function fromPosition({ publishedAt, id }: EpisodePosition): CursorPosition {
  return [publishedAt.toISOString(), id];
}

function toPosition([publishedAt, id]: CursorPosition): EpisodePosition {
  return { publishedAt: new Date(publishedAt ?? ''), id: String(id) };
}
