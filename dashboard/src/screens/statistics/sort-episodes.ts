import type { EpisodeAnalytics } from '../../api/analytics.ts';

export type Column =
  | 'title'
  | 'published_at'
  | 'downloads'
  | 'first_7_days_downloads'
  | 'all_time_downloads';

/** Figures from the highest, dates from the newest (none stands last), titles from A. */
export function compareEpisodes(
  a: Pick<EpisodeAnalytics, Column>,
  b: Pick<EpisodeAnalytics, Column>,
  column: Column,
): number {
  if (column === 'title') return a.title.localeCompare(b.title);
  if (column === 'published_at') {
    return (b.published_at ?? '').localeCompare(a.published_at ?? '');
  }
  return b[column] - a[column];
}
