import Type from 'typebox';
import { readEpisodeDownloads, readPodcastDownloads } from '../../../../domain/analytics/index.ts';
import { defineRoute, type Route } from '../../../route.ts';
import {
  checkSeriesParameters,
  interval,
  rangeParameters,
} from '../../../v1/keyed/analytics/parameters.ts';
import { presentEpisodeDownloads, presentSeries } from '../../../v1/keyed/analytics/present.ts';
import { presentComparison } from '../../present-analytics.ts';
import { forSignedIn } from '../../requester.ts';
import { ComparedEpisodeDownloads, ComparedPodcastDownloads } from '../../schemas/analytics.ts';
import { ids } from '../../schemas/fields.ts';
import { answerFigures, figures } from './answer-figures.ts';

const compare = Type.Optional(
  Type.Enum(['previous'], {
    type: 'string',
    description: '`previous`: adds the days before the range, as many as it has.',
  }),
);
const query = Type.Object({ ...rangeParameters, interval, compare });

export const downloadRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: '/app/api/podcasts/:podcastId/analytics/downloads',
    params: ids('podcastId'),
    query,
    operation: {
      id: 'getPodcastDownloads',
      summary: 'Downloads of a podcast over time',
      responses: figures(ComparedPodcastDownloads),
    },
    check: checkSeriesParameters,
    async handle(http, { caller: { ctx }, params: { podcastId }, query, checked }) {
      const asked = { ...checked, isCompared: query.compare !== undefined };
      const downloads = await readPodcastDownloads(ctx, podcastId, asked);
      const series = { ...presentSeries(downloads), ...presentComparison(downloads) };
      return answerFigures(http, { podcast_id: podcastId, ...series }, downloads);
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: '/app/api/episodes/:episodeId/analytics/downloads',
    params: ids('episodeId'),
    query,
    operation: {
      id: 'getEpisodeDownloads',
      summary: 'Downloads of an episode over time',
      responses: figures(ComparedEpisodeDownloads),
    },
    check: checkSeriesParameters,
    async handle(http, { caller: { ctx }, params: { episodeId }, query, checked }) {
      const asked = { ...checked, isCompared: query.compare !== undefined };
      const downloads = await readEpisodeDownloads(ctx, episodeId, asked);
      const data = presentEpisodeDownloads(episodeId, downloads);
      return answerFigures(http, { ...data, ...presentComparison(downloads) }, downloads);
    },
  }),
];
