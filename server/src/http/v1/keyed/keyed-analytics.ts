import Type from 'typebox';
import {
  listEpisodeAnalytics,
  platformSources,
  readBreakdown,
  readEpisodeDownloads,
  readPlatformImport,
  readPodcastDownloads,
} from '../../../domain/audience/analytics/index.ts';
import { countedDimensions } from '../../../domain/audience/downloads/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import {
  AnalyticsMeta,
  Breakdown,
  EpisodeAnalytics,
  EpisodeDownloads,
  figuresOf,
  PodcastDownloads,
} from '../../analytics/figures.ts';
import {
  presentBreakdown,
  presentEpisodeAnalytics,
  presentEpisodeDownloads,
  presentFigures,
  presentSeries,
} from '../../analytics/present-figures.ts';
import {
  checkRangeParameters,
  checkSeriesParameters,
  interval,
  rangeParameters,
} from '../../analytics/range-parameters.ts';
import {
  episodeExample,
  id,
  named,
  nullable,
  podcastExample,
  someMoment,
  text,
  values,
} from '../../openapi/described-fields.ts';
import { episodeId, pageParameters } from '../../requests/parameters.ts';
import { byFigures, byImportedRow } from '../../requests/positions.ts';
import { Pagination } from '../public-schemas.ts';
import { keyedResponses } from '../responses.ts';
import { defineEpisodeRoute, definePodcastRoute } from './keyed-route.ts';

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
  async respond(ctx, { podcastId, checked }) {
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
  async respond(ctx, { episodeId, checked }) {
    const downloads = await readEpisodeDownloads(ctx, episodeId, checked);
    return presentFigures(ctx, presentEpisodeDownloads(episodeId, downloads), downloads);
  },
});

const dimension = Type.Enum([...countedDimensions], {
  type: 'string',
  description: 'How downloads are grouped; `devices` needs advanced analytics',
  examples: ['apps'],
});

export const breakdownRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/analytics/breakdowns',
  action: 'analytics.read',
  query: Type.Object({ dimension, ...rangeParameters, episode_id: Type.Optional(episodeId) }),
  id: 'getMyBreakdown',
  tag: 'Your analytics',
  summary: 'Downloads of a podcast by app, country, device, source or referrer',
  description:
    'Downloads of the whole podcast, or of its episode `episode_id`. Returns the 5 entries with the most downloads, or 15 on a plan with advanced analytics, and the rest as the entry `other`. Downloads with an unknown value form the entry `unknown`, which is ranked like the others. `referrers` counts only downloads that had one. For a podcast hosted elsewhere, `available` is false.',
  responses: keyedResponses('The ranking.', figuresOf(Breakdown)),
  check: checkRangeParameters,
  async respond(ctx, { podcastId, episodeId: ofEpisode, query, checked: range }) {
    const wanted = { podcastId, episodeId: ofEpisode, dimension: query.dimension, range };
    const breakdown = await readBreakdown(ctx, wanted);
    return presentFigures(ctx, presentBreakdown(wanted, breakdown), breakdown);
  },
});

export const episodeAnalyticsRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/analytics/episodes',
  action: 'analytics.read',
  query: Type.Object({ ...rangeParameters, ...pageParameters }),
  id: 'listMyEpisodeAnalytics',
  tag: 'Your analytics',
  summary: "Downloads of each of a podcast's episodes",
  description:
    'Every published episode, and others that have downloads, newest publication first; those that were never published come last. `downloads` are those in the range, which the plan limits to its history. The other figures are not limited.',
  responses: keyedResponses(
    'A page of episodes.',
    Type.Object({
      data: Type.Array(EpisodeAnalytics, {
        description: 'Newest publication first; never published ones last.',
      }),
      meta: AnalyticsMeta,
      pagination: Pagination,
    }),
  ),
  check: checkRangeParameters,
  async respond(ctx, { podcastId, page, checked: range, inTurn }) {
    const { items, pagination, ...facts } = await page.find(byFigures, (query) =>
      listEpisodeAnalytics(ctx, { ...query, podcastId, range }, inTurn),
    );
    return { ...presentFigures(ctx, items.map(presentEpisodeAnalytics), facts), pagination };
  },
});

/** The last import of a platform's figures, with the names of the API. */

const count = (description: string, example: number) =>
  Type.Optional(Type.Integer({ minimum: 0, description, examples: [example] }));

const figures = {
  plays: count('How often play was pressed.', 1972),
  time_listened_seconds: count('Apple: the time that people listened, in seconds.', 1_407_060),
  followers: count('People who follow the show, on the last day of the file.', 9430),
  engaged_listeners: count('Apple: people who heard 20 minutes or 40 % of an episode.', 360),
  streams: count('Spotify: plays of at least 60 seconds.', 1530),
  listeners: count('Spotify: people who listened.', 990),
};

const Figures = (description: string) => Type.Object(figures, { description });

const PlatformImport = named('PlatformImport', 'Figures as another platform counted them.', {
  podcast_id: id('The podcast.', podcastExample),
  source: values(platformSources, 'The platform.', 'apple'),
  imported_at: nullable(
    someMoment('2026-03-31T14:05:12.000Z'),
    'When the owner imported the file; null: nothing was imported.',
  ),
  as_of: nullable(
    Type.String({ format: 'date', examples: ['2026-03-30'] }),
    'The last day of the figures; null if the file does not say, or nothing was imported.',
  ),
  show_metrics: Figures(
    "The show's figures: only those that the file contains, so it may be empty. If the file lists episodes, plays, streams and times are their totals. Numbers of people are never added up.",
  ),
  episodes: Type.Array(
    Type.Object({
      episode_id: nullable(
        Type.String({ format: 'uuid', examples: [episodeExample] }),
        'The episode here; null if none, or more than one, was found by GUID, title or date.',
      ),
      title: text('The title on the platform.', 'First light'),
      metrics: Figures("The episode's figures: only those that the file contains."),
    }),
    { description: "A page of the file's episodes, in its order." },
  ),
});

const source = Type.Enum([...platformSources], {
  type: 'string',
  description: 'The platform',
  examples: ['apple'],
});

export const platformsRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/analytics/platforms',
  action: 'platforms.read',
  query: Type.Object({ source, ...pageParameters }),
  id: 'getMyPlatformImport',
  tag: 'Your analytics',
  summary: 'Figures imported from another platform',
  description:
    "The owner's last import from Apple Podcasts Connect or Spotify for Creators, as these platforms count. `cursor` pages through `data.episodes`, in the order of the file. A new import replaces the last one from its source, whose cursors are then refused. Needs a plan with engagement imports.",
  responses: keyedResponses(
    'The last import of the source.',
    Type.Object({ data: PlatformImport, pagination: Pagination }),
  ),
  async respond(ctx, { podcastId, query: { source }, page }) {
    const { pagination, ...imported } = await page.find(byImportedRow, (query) =>
      readPlatformImport(ctx, { ...query, podcastId, source }),
    );
    return { data: wireNames(imported), pagination };
  },
});
