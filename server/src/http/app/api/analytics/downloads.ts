import Type from 'typebox';
import {
  readEpisodeDownloads,
  readPodcastDownloads,
} from '../../../../domain/audience/analytics/index.ts';
import { figuresOf } from '../../../analytics/figures.ts';
import {
  presentEpisodeDownloads,
  presentFigures,
  presentSeries,
} from '../../../analytics/present-figures.ts';
import {
  checkSeriesParameters,
  interval,
  rangeParameters,
} from '../../../analytics/range-parameters.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { presentComparison } from '../../present-analytics.ts';
import { whole } from '../../response.ts';
import { ComparedEpisodeDownloads, ComparedPodcastDownloads } from '../../schemas/analytics.ts';

const compare = Type.Optional(
  Type.Enum(['previous'], {
    type: 'string',
    description: '`previous`: adds as many days before the range as the range has.',
  }),
);
const query = Type.Object({ ...rangeParameters, interval, compare });

export const downloadRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/podcasts/:podcastId/analytics/downloads', {
    id: 'getPodcastDownloads',
    summary: 'Downloads of a podcast over time',
    query,
    response: whole(figuresOf(ComparedPodcastDownloads)),
    check: checkSeriesParameters,
    async handle({ ctx }, { params: { podcastId }, query, checked }) {
      const asked = { ...checked, isCompared: query.compare !== undefined };
      const downloads = await readPodcastDownloads(ctx, podcastId, asked);
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
      const asked = { ...checked, isCompared: query.compare !== undefined };
      const downloads = await readEpisodeDownloads(ctx, episodeId, asked);
      const data = presentEpisodeDownloads(episodeId, downloads);
      return presentFigures(ctx, { ...data, ...presentComparison(downloads) }, downloads);
    },
  }),
];
