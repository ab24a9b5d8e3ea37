import Type, { type TSchema } from 'typebox';
import {
  explainEpisode,
  listEpisodeAnalytics,
  longestCurve,
  mostCurves,
  readBreakdown,
  readCurves,
  readEpisodeDownloads,
  readPodcastDownloads,
  readTypicalRange,
} from '../../../domain/audience/analytics/index.ts';
import { countedDimensions } from '../../../domain/audience/downloads/index.ts';
import { uuidPattern } from '../../../lib/uuid.ts';
import { AnalyticsMeta, Breakdown, figuresOf } from '../../analytics/figures.ts';
import {
  presentBreakdown,
  presentEpisodeAnalytics,
  presentEpisodeDownloads,
  presentFigures,
  presentFreshness,
  presentSeries,
} from '../../analytics/present-figures.ts';
import {
  checkRangeParameters,
  checkSeriesParameters,
  interval,
  rangeParameters,
} from '../../analytics/range-parameters.ts';
import { turnOf } from '../../limits/turn-of.ts';
import { pageParameters } from '../../requests/parameters.ts';
import { byFigures } from '../../requests/positions.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { id, Pagination } from '../field-schemas.ts';
import { whole } from '../response.ts';
import {
  ComparedEpisodeDownloads,
  ComparedPodcastDownloads,
  CurveByAge,
  EpisodeExplanation,
  EpisodeFigures,
  EpisodeTypicalRange,
  presentComparedCurve,
  presentComparison,
  presentExplanation,
  presentTypical,
} from './analytics-shapes.ts';

const compare = Type.Optional(
  Type.Enum(['previous'], {
    type: 'string',
    description: '`previous`: adds as many days before the range as the range has.',
  }),
);
const query = Type.Object({ ...rangeParameters, interval, compare });

const downloadRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/podcasts/:podcastId/analytics/downloads', {
    id: 'getPodcastDownloads',
    summary: 'Downloads of a podcast over time',
    query,
    response: whole(figuresOf(ComparedPodcastDownloads)),
    check: checkSeriesParameters,
    async handle({ ctx }, { params: { podcastId }, query, checked }) {
      const options = { ...checked, isCompared: query.compare !== undefined };
      const downloads = await readPodcastDownloads(ctx, podcastId, options);
      const series = { ...presentSeries(downloads), ...presentComparison(downloads) };
      return presentFigures(ctx, { podcast_id: podcastId, ...series }, downloads);
    },
  }),
  defineEndpoint('GET /app/api/episodes/:episodeId/analytics/downloads', {
    id: 'getEpisodeDownloads',
    summary: 'Downloads of an episode over time',
    query,
    response: whole(figuresOf(ComparedEpisodeDownloads)),
    check: checkSeriesParameters,
    async handle({ ctx }, { params: { episodeId }, query, checked }) {
      const options = { ...checked, isCompared: query.compare !== undefined };
      const downloads = await readEpisodeDownloads(ctx, episodeId, options);
      const data = presentEpisodeDownloads(episodeId, downloads);
      return presentFigures(ctx, { ...data, ...presentComparison(downloads) }, downloads);
    },
  }),
];

const dimension = Type.Optional(
  Type.Enum([...countedDimensions], {
    type: 'string',
    default: 'apps',
    description: 'How downloads are grouped; `devices` needs advanced analytics.',
  }),
);

const breakdownRoute = defineEndpoint('GET /app/api/podcasts/:podcastId/analytics/breakdown', {
  id: 'getBreakdown',
  summary: 'Downloads of a podcast, or of one episode of it, by one dimension',
  query: Type.Object({ dimension, ...rangeParameters, episode_id: Type.Optional(id) }),
  response: whole(figuresOf(Breakdown)),
  check: checkRangeParameters,
  async handle({ ctx }, { params, query, checked: range }) {
    const { dimension = 'apps', episode_id: episodeId } = query;
    const wanted = { ...params, episodeId, dimension, range };
    const breakdown = await readBreakdown(ctx, wanted);
    return presentFigures(ctx, presentBreakdown(wanted, breakdown), breakdown);
  },
});

const EpisodePage = Type.Object({
  data: Type.Array(EpisodeFigures),
  meta: AnalyticsMeta,
  pagination: Pagination,
});

const episodesRoute = defineEndpoint('GET /app/api/podcasts/:podcastId/analytics/episodes', {
  id: 'listEpisodeAnalytics',
  summary: "Downloads of each of a podcast's episodes, newest publication first",
  query: Type.Object({ ...rangeParameters, ...pageParameters }),
  response: whole(EpisodePage, 'A page'),
  check: checkRangeParameters,
  async handle({ ctx, session }, { http, params: { podcastId }, page, checked: range, reply }) {
    const inTurn = turnOf(http, session.userId, reply);
    const { items, pagination, ...facts } = await page.find(byFigures, (query) =>
      listEpisodeAnalytics(ctx, { ...query, podcastId, range }, inTurn),
    );
    return { ...presentFigures(ctx, items.map(presentEpisodeAnalytics), facts), pagination };
  },
});

const explainRoute = defineEndpoint('GET /app/api/episodes/:episodeId/analytics/explain', {
  id: 'explainEpisodeDownloads',
  summary: "Explains an episode's downloads, for days with evidence",
  query: Type.Object(rangeParameters),
  response: whole(figuresOf(EpisodeExplanation)),
  check: checkRangeParameters,
  async handle({ ctx }, { params: { episodeId }, checked: range }) {
    const explanation = await explainEpisode(ctx, episodeId, range);
    return presentFigures(ctx, presentExplanation(episodeId, explanation), explanation);
  },
});

const { freshness, methodology } = AnalyticsMeta.properties;

/** Figures by age have no range. */
const figuresByAge = (data: TSchema) =>
  whole(Type.Object({ data, meta: Type.Object({ freshness, methodology }) }));

const ageRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/episodes/:episodeId/analytics/typical', {
    id: 'getEpisodeTypicalRange',
    summary: "An episode's downloads by age, compared with its show's typical values",
    response: figuresByAge(EpisodeTypicalRange),
    async handle({ ctx }, { params: { episodeId } }) {
      const typical = await readTypicalRange(ctx, episodeId);
      const meta = presentFreshness(ctx.installation, typical.freshness);
      return { data: presentTypical(episodeId, typical), meta };
    },
  }),
  defineEndpoint('GET /app/api/podcasts/:podcastId/analytics/by-age', {
    id: 'compareByAge',
    summary: 'Downloads of several episodes by age, newest first',
    query: Type.Object({
      episodes: Type.Optional(
        Type.String({
          pattern: `^${uuidPattern}(?:,${uuidPattern}){0,${mostCurves - 1}}$`,
          description: `Ids of at most ${mostCurves} episodes, separated by commas; default: the newest full episodes.`,
        }),
      ),
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: longestCurve,
          default: 30,
          description: 'Days of age.',
        }),
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

/** Downloads, for members whose role includes `analytics.view`. */
export const analyticsRoutes: readonly Route[] = [
  ...downloadRoutes,
  breakdownRoute,
  episodesRoute,
  explainRoute,
  ...ageRoutes,
];
