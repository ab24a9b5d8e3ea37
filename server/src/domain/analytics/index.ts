/**
 * Analytics: what members read of the sums of `downloads`. It owns no table. Ranges, periods and the
 * ranking of breakdowns are pure rules; each verb runs one statement.
 */
export { type BreakdownEntry, type Dimension, dimensions } from './breakdown.ts';
export type { AnalyticsFacts } from './facts.ts';
export {
  type EpisodeAnalytics,
  type EpisodeAnalyticsQuery,
  listEpisodeAnalytics,
} from './list-episode-analytics.ts';
export type { DownloadSeries } from './make-series.ts';
export { type Interval, intervals } from './periods.ts';
export {
  checkRange,
  type Preset,
  presets,
  type RangeParameters,
  type RangeRequest,
  toRangeRequest,
} from './range.ts';
export { type Breakdown, type BreakdownQuery, readBreakdown } from './read-breakdown.ts';
export { type EpisodeDownloads, readEpisodeDownloads } from './read-episode-downloads.ts';
export { readPodcastDownloads, type SeriesQuery } from './read-podcast-downloads.ts';
