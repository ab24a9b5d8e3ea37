/**
 * Analytics: what members read of the sums of `downloads`, and figures that they bring from other
 * platforms (`platforms/`). Ranges, periods and the ranking of breakdowns are pure rules; each verb
 * that reads runs one statement. Tables: platform_imports, platform_episodes.
 */
export { exclusionReasons } from './ages/curve.ts';
export { type CurvesByAge, longestCurve, mostCurves, readCurves } from './ages/read-curves.ts';
export {
  type EpisodeTypicalRange,
  obstacles,
  readTypicalRange,
} from './ages/read-typical-range.ts';
export type { BreakdownEntry } from './breakdown.ts';
export { type EpisodeExplanation, explainEpisode } from './explain-episode.ts';
export type { AnalyticsFacts } from './facts.ts';
export {
  type EpisodeAnalytics,
  type EpisodeAnalyticsQuery,
  listEpisodeAnalytics,
} from './list-episode-analytics.ts';
export { type Interval, intervals } from './periods.ts';
export {
  checkPlatformFile,
  importPlatformFile,
  type PlatformImportReport,
} from './platforms/import-platform-file.ts';
export {
  type PlatformFigures,
  type PlatformMetric,
  type PlatformSource,
  platformSources,
} from './platforms/platform-figures.ts';
export {
  type PlatformEpisode,
  type PlatformImport,
  type PlatformPosition,
  readPlatformImport,
} from './platforms/read-platform-import.ts';
export { type Comparison, reasonsForNone } from './previous-period.ts';
export {
  checkRange,
  type Preset,
  presets,
  type RangeParameters,
  type RangeRequest,
  toRangeRequest,
} from './range.ts';
export { type Breakdown, type BreakdownQuery, readBreakdown } from './read-breakdown.ts';
export {
  type EpisodeDownloads,
  readEpisodeDownloads,
  readPodcastDownloads,
} from './read-episode-downloads.ts';
export type { DownloadSeries, SeriesQuery } from './series.ts';
