import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { components, operations } from './schema.d.ts';

type Schemas = components['schemas'];
export type AnalyticsMeta = Schemas['AnalyticsMeta'];
export type PodcastDownloads = Schemas['ComparedPodcastDownloads'];
export type EpisodeDownloads = Schemas['ComparedEpisodeDownloads'];
export type EpisodeAnalytics = Schemas['EpisodeFigures'];
export type Breakdown = Schemas['Breakdown'];
export type TypicalRange = Schemas['EpisodeTypicalRange'];
export type CurveByAge = Schemas['CurveByAge'];
export type Explanation = Schemas['EpisodeExplanation'];

type SeriesQuery = NonNullable<operations['getPodcastDownloads']['parameters']['query']>;
export type Interval = NonNullable<SeriesQuery['interval']>;
export type Dimension = NonNullable<
  NonNullable<operations['getBreakdown']['parameters']['query']>['dimension']
>;
/** A preset, or given days. */
export type Range = Pick<SeriesQuery, 'preset' | 'from' | 'to'>;

/** Figures change within seconds, but need not be shown so soon. */
const shared = { staleTime: 60_000, placeholderData: keepPreviousData };

export const podcastDownloadsQuery = (podcastId: string, range: Range, interval: Interval) =>
  queryOptions({
    ...shared,
    queryKey: ['analytics', podcastId, 'downloads', range, interval],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/app/api/podcasts/{podcastId}/analytics/downloads', {
          params: { path: { podcastId }, query: { ...range, interval, compare: 'previous' } },
          signal,
        }),
      ),
  });

export const episodeDownloadsQuery = (episodeId: string, range: Range, interval: Interval) =>
  queryOptions({
    ...shared,
    queryKey: ['analytics', episodeId, 'downloads', range, interval],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/app/api/episodes/{episodeId}/analytics/downloads', {
          params: { path: { episodeId }, query: { ...range, interval, compare: 'previous' } },
          signal,
        }),
      ),
  });

interface BreakdownOf {
  readonly podcastId: string;
  /** Undefined: for the whole show. */
  readonly episodeId: string | undefined;
  readonly dimension: Dimension;
  readonly range: Range;
}

export const breakdownQuery = ({ podcastId, episodeId, dimension, range }: BreakdownOf) =>
  queryOptions({
    ...shared,
    queryKey: ['analytics', podcastId, 'breakdown', episodeId ?? null, dimension, range],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/app/api/podcasts/{podcastId}/analytics/breakdown', {
          params: {
            path: { podcastId },
            query: { ...range, dimension, ...(episodeId && { episode_id: episodeId }) },
          },
          signal,
        }),
      ),
  });

/** Each episode's downloads, newest first, page by page. */
export const episodeAnalyticsQuery = (podcastId: string, range: Range) =>
  infiniteQueryOptions({
    ...shared,
    queryKey: ['analytics', podcastId, 'episodes', range],
    queryFn: ({ pageParam, signal }) =>
      bodyOf(
        api.GET('/app/api/podcasts/{podcastId}/analytics/episodes', {
          params: {
            path: { podcastId },
            query: { ...range, limit: 100, ...(pageParam !== null && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });

/** An episode's downloads by age, and the typical range of its show. */
export const typicalQuery = (episodeId: string) =>
  queryOptions({
    staleTime: shared.staleTime,
    queryKey: ['analytics', episodeId, 'typical'],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/app/api/episodes/{episodeId}/analytics/typical', {
          params: { path: { episodeId } },
          signal,
        }),
      ),
  });

export const curvesQuery = (podcastId: string, episodeIds: readonly string[], days: number) =>
  queryOptions({
    ...shared,
    queryKey: ['analytics', podcastId, 'by-age', episodeIds, days],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/app/api/podcasts/{podcastId}/analytics/by-age', {
          params: { path: { podcastId }, query: { episodes: episodeIds.join(','), days } },
          signal,
        }),
      ),
  });

/** Why an episode's figures are what they are, for the days whose requests are kept. */
export const explanationQuery = (episodeId: string) =>
  queryOptions({
    staleTime: shared.staleTime,
    queryKey: ['analytics', episodeId, 'explanation'],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/app/api/episodes/{episodeId}/analytics/explain', {
          params: { path: { episodeId }, query: { preset: '7d' } },
          signal,
        }),
      ),
  });
