import Type, { type TSchema } from 'typebox';
import {
  longestCurve,
  mostCurves,
  readCurves,
  readUsual,
} from '../../../../domain/audience/analytics/index.ts';
import { uuidPattern } from '../../../../lib/uuid.ts';
import { AnalyticsMeta } from '../../../analytics/figures.ts';
import { presentFreshness } from '../../../analytics/present-figures.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { presentComparedCurve, presentUsual } from '../../present-analytics.ts';
import { whole } from '../../response.ts';
import { CurveByAge, EpisodeUsual } from '../../schemas/analytics.ts';

const { freshness, methodology } = AnalyticsMeta.properties;

/** Figures by age have no range. */
const figuresByAge = (data: TSchema) =>
  whole(Type.Object({ data, meta: Type.Object({ freshness, methodology }) }));

export const ageRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/episodes/:episodeId/analytics/usual', {
    id: 'getEpisodeUsual',
    summary: "An episode's downloads by age, compared with the usual values of its show",
    response: figuresByAge(EpisodeUsual),
    async handle({ ctx }, { params: { episodeId } }) {
      const usual = await readUsual(ctx, episodeId);
      const meta = presentFreshness(ctx.installation, usual.freshness);
      return { data: presentUsual(episodeId, usual), meta };
    },
  }),
  defineEndpoint('GET /app/api/podcasts/:podcastId/analytics/by-age', {
    id: 'compareByAge',
    summary: 'Downloads of several episodes by age, newest first',
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
    response: figuresByAge(Type.Array(CurveByAge)),
    async handle({ ctx }, { params: { podcastId }, query: { episodes, days = 30 } }) {
      const episodeIds = episodes?.split(',');
      const { curves, freshness } = await readCurves(ctx, podcastId, { episodeIds, days });
      const meta = presentFreshness(ctx.installation, freshness);
      return { data: curves.map(presentComparedCurve), meta };
    },
  }),
];
