/**
 * Analytics: what members read of the sums of `downloads`. It owns no table. Ranges and periods are
 * pure rules (`range.ts`, `periods.ts`); each verb runs one statement.
 */
export type { AnalyticsFacts } from './facts.ts';
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
export { type EpisodeDownloads, readEpisodeDownloads } from './read-episode-downloads.ts';
export { readPodcastDownloads, type SeriesQuery } from './read-podcast-downloads.ts';
