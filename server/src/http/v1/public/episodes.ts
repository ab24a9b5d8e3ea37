import Type from 'typebox';
import {
  type EpisodePosition,
  type EpisodeQuery,
  listPublicEpisodes,
  type Show,
} from '../../../domain/catalogue/index.ts';
import { type EpisodeType, episodeTypes } from '../../../domain/episodes/index.ts';
import type { CursorPosition, CursorScope } from '../../../lib/cursor.ts';
import { cachedJson } from '../../cached.ts';
import { defineRoute } from '../../route.ts';
import type { Web } from '../../web.ts';
import { readCursor } from '../cursor.ts';
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

export const episodesRoute = defineRoute({
  method: 'GET',
  path: '/v1/podcasts/:slug/episodes',
  access: 'public',
  params: Type.Object({ slug: podcastSlug }),
  query: Type.Object({ limit: pageSize(50), cursor, season, type }),
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
  async handle(web, { params, query: { limit = 20, cursor, season, type }, reply }) {
    const show = await web.shows.get(params.slug, 'api');
    const types = type === undefined ? undefined : readTypes(type);
    const scope: CursorScope = {
      endpoint: 'GET /v1/podcasts/{slug}/episodes',
      resource: show.id,
      filters: { season, type: types },
    };
    const after = cursor === undefined ? undefined : toPosition(readCursor(web, scope, cursor));
    const compute = () => readPage(web, show, scope, { limit, after, season, types });
    // Filtered pages bypass the payload cache (contract, "Public", rule 2).
    if (types !== undefined || season !== undefined) {
      return { kind: 'json', body: await compute() };
    }
    return cachedJson(web, reply, show, `episodes ${limit} ${cursor ?? ''}`, compute);
  },
});

async function readPage(web: Web, show: Show, scope: CursorScope, query: EpisodeQuery) {
  const { episodes, next } = await listPublicEpisodes(web.ctx, show, query);
  const position = next && [next.publishedAt.toISOString(), next.id];
  return {
    data: episodes.map((episode) => presentEpisode(web.ctx.installation, show, episode)),
    pagination: { next_cursor: position ? web.cursors.encode(scope, position) : null },
  };
}

/** The set of types in one order, so that the same set is the same filter. */
function readTypes(text: string): EpisodeType[] {
  const wanted = text.split(',');
  return episodeTypes.filter((candidate) => wanted.includes(candidate));
}

function toPosition([publishedAt, id]: CursorPosition): EpisodePosition {
  return { publishedAt: new Date(publishedAt ?? ''), id: String(id) };
}
