import Type from 'typebox';
import {
  readEpisodeDownloads,
  readPodcastDownloads,
} from '../../../../domain/audience/analytics/index.ts';
import { EpisodeDownloads, figuresOf, PodcastDownloads } from '../../../analytics/figures.ts';
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
import { defineEpisodeRoute, definePodcastRoute } from '../keyed-route.ts';
import { keyedResponses } from '../responses.ts';

const query = Type.Object({ ...rangeParameters, interval });

export const podcastDownloadsRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/analytics/downloads',
  action: 'analytics.read',
  query,
  id: 'getMyPodcastDownloads',
  tag: 'Your analytics',
  summary: 'Downloads of a podcast over time',
  description:
    "Every period of the range, including those without downloads. A range that begins before the plan's history is shortened, as `meta.range` shows. One that ends before the history is refused with `reason` `outside_retention`. A daily series of more than 1,100 days is refused with `reason` `series_too_long`.",
  responses: keyedResponses('The series.', figuresOf(PodcastDownloads)),
  check: checkSeriesParameters,
  async answer(ctx, { podcastId, checked }) {
    const downloads = await readPodcastDownloads(ctx, podcastId, checked);
    const data = { podcast_id: podcastId, ...presentSeries(downloads) };
    return presentFigures(ctx, data, downloads);
  },
});

export const episodeDownloadsRoute = defineEpisodeRoute({
  path: '/v1/me/episodes/:episode_id/analytics/downloads',
  action: 'analytics.read',
  query,
  id: 'getMyEpisodeDownloads',
  tag: 'Your analytics',
  summary: 'Downloads of an episode over time',
  description:
    'The same series for one episode. The figures for all time and for the first seven days are not limited by the range or the plan.',
  responses: keyedResponses('The series.', figuresOf(EpisodeDownloads)),
  check: checkSeriesParameters,
  async answer(ctx, { episodeId, checked }) {
    const downloads = await readEpisodeDownloads(ctx, episodeId, checked);
    return presentFigures(ctx, presentEpisodeDownloads(episodeId, downloads), downloads);
  },
});
