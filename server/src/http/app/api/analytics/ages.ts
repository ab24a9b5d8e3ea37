import Type, { type TSchema } from 'typebox';
import {
  type AnalyticsFacts,
  longestCurve,
  mostCurves,
  readCurves,
  readUsual,
} from '../../../../domain/analytics/index.ts';
import { uuidPattern } from '../../../../lib/uuid.ts';
import type { HttpContext } from '../../../http-context.ts';
import { sessionCaching } from '../../../payload.ts';
import { type Answer, defineRoute, type PrivateOperation, type Route } from '../../../route.ts';
import { presentFreshness } from '../../../v1/keyed/analytics/present.ts';
import { AnalyticsMeta } from '../../../v1/keyed/analytics/schemas.ts';
import { presentComparedCurve, presentUsual } from '../../present-analytics.ts';
import { forSignedIn } from '../../requester.ts';
import { CurveByAge, EpisodeUsual } from '../../schemas/analytics.ts';
import { ids } from '../../schemas/fields.ts';

const { freshness, methodology } = AnalyticsMeta.properties;

/** Figures by age have no range. */
const figuresByAge = (data: TSchema): PrivateOperation['responses'] => ({
  200: {
    description: 'OK',
    schema: Type.Object({ data, meta: Type.Object({ freshness, methodology }) }),
  },
});

function answerByAge(
  { ctx }: HttpContext,
  data: unknown,
  facts: AnalyticsFacts['freshness'],
): Answer {
  const body = { data, meta: presentFreshness(ctx.installation, facts) };
  return { kind: 'json', body, caching: sessionCaching };
}

export const ageRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: '/app/api/episodes/:episodeId/analytics/usual',
    params: ids('episodeId'),
    operation: {
      id: 'getEpisodeUsual',
      summary: "An episode's downloads by age, against the usual of its show",
      responses: figuresByAge(EpisodeUsual),
    },
    async handle(http, { caller: { ctx }, params: { episodeId } }) {
      const usual = await readUsual(ctx, episodeId);
      return answerByAge(http, presentUsual(episodeId, usual), usual.freshness);
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: '/app/api/podcasts/:podcastId/analytics/by-age',
    params: ids('podcastId'),
    query: Type.Object({
      episodes: Type.Optional(
        Type.String({
          pattern: `^${uuidPattern}(?:,${uuidPattern}){0,${mostCurves - 1}}$`,
          description: `Ids of at most ${mostCurves} episodes with commas between them; without it the newest full episodes.`,
        }),
      ),
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: longestCurve, default: 30, description: 'Of age.' }),
      ),
    }),
    operation: {
      id: 'compareByAge',
      summary: 'Downloads of several episodes by age, newest first',
      responses: figuresByAge(Type.Array(CurveByAge)),
    },
    async handle(http, { caller: { ctx }, params: { podcastId }, query }) {
      const episodeIds = query.episodes?.split(',');
      const { curves, freshness } = await readCurves(ctx, podcastId, {
        ...{ episodeIds, days: query.days ?? 30 },
      });
      return answerByAge(http, curves.map(presentComparedCurve), freshness);
    },
  }),
];
