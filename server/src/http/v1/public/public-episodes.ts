import Type from 'typebox';
import { type EpisodeType, episodeTypes } from '../../../domain/foundation/enumerations.ts';
import { notFound } from '../../../domain/foundation/errors.ts';
import { type ListedEpisode, listPublicEpisodes } from '../../../domain/public/catalogue/index.ts';
import { chooseContentCoding } from '../../../lib/content-coding.ts';
import { cachedText, sizeOf } from '../../cache/cached.ts';
import type { Build } from '../../limits/large-builds.ts';
import { openPage } from '../../requests/page-request.ts';
import { cursor, pageSize, podcastSlug } from '../../requests/parameters.ts';
import { byPublication } from '../../requests/positions.ts';
import { createPayload } from '../../responses/payload.ts';
import { jsonType } from '../../responses/send.ts';
import { serializerFor } from '../../responses/serializers.ts';
import { clientLeaves } from '../../responses/while-awaited.ts';
import { writeItems } from '../../responses/write-items.ts';
import { defineRoute } from '../../route.ts';
import { presentEpisode } from '../present-public.ts';
import { Pagination, PublicEpisode } from '../public-schemas.ts';
import { publicResponses } from '../responses.ts';

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
  async handle(http, { query, checked: { show, types, page }, request, reply }) {
    const { season } = query;
    const present = (episode: ListedEpisode) =>
      writeEpisode(presentEpisode(http.ctx.installation, show, episode));
    const compute = async (build: Build) => {
      const { items, pagination } = await page.find(byPublication, (wanted) => {
        const waitForTurn = (bytes: number) => build.grow(bytes, 0);
        return listPublicEpisodes(http.ctx, show, { ...wanted, season, types }, waitForTurn);
      });
      return writePage(items, present, pagination);
    };
    const left = clientLeaves(reply);
    // Filtered pages bypass the payload cache (PUB-8).
    if (types !== undefined || season !== undefined) {
      using build = http.largeBuilds.begin(show.id, left);
      const pieces = await compute(build);
      await build.grow(sizeOf(pieces));
      const only = chooseContentCoding(request.headers['accept-encoding']);
      return { kind: 'payload', payload: await createPayload(jsonType, pieces, { only }) };
    }
    const key = `episodes ${page.limit} ${page.after?.join(' ') ?? ''}`;
    return cachedText(http, show, key, jsonType, compute, left);
  },
});

const writeEpisode = serializerFor(PublicEpisode);

async function writePage<Item>(
  items: readonly Item[],
  write: (item: Item) => string,
  pagination: object,
): Promise<Buffer[]> {
  const end = Buffer.from(`,"pagination":${JSON.stringify(pagination)}}`);
  return [Buffer.from('{"data":'), ...(await writeItems(items, write)), end];
}

/** Sorts the set of types, so that the same set is the same filter. */
function readTypes(text: string): EpisodeType[] {
  const wanted = text.split(',');
  return episodeTypes.filter((candidate) => wanted.includes(candidate));
}
