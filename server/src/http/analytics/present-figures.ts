import type { Static } from 'typebox';
import type {
  AnalyticsFacts,
  Breakdown,
  BreakdownQuery,
  DownloadSeries,
  EpisodeAnalytics,
  EpisodeDownloads,
} from '../../domain/audience/analytics/index.ts';
import { revisableDays } from '../../domain/audience/downloads/index.ts';
import type { Context, Installation } from '../../domain/foundation/context.ts';
import { wireNames } from '../../lib/wire-names.ts';
import type * as schemas from './figures.ts';
import type { AnalyticsMeta } from './figures.ts';

/** Figures, with their completeness and their method. */
export function presentFigures<Data>(
  { installation }: Context,
  data: Data,
  { range, freshness }: AnalyticsFacts,
): { readonly data: Data; readonly meta: Static<typeof schemas.AnalyticsMeta> } {
  const clamped = range.clampReason !== null;
  const meta = { range: { ...wireNames(range), clamped } };
  return { data, meta: { ...meta, ...presentFreshness(installation, freshness) } };
}

/** The freshness of figures that have no range. */
export function presentFreshness(
  installation: Installation,
  freshness: AnalyticsFacts['freshness'],
): Omit<Static<typeof schemas.AnalyticsMeta>, 'range'> {
  return {
    freshness: {
      ...wireNames(freshness),
      revisable_days: revisableDays,
      today_partial: freshness.isTodayPartial,
    },
    methodology: describeMethodology(installation),
  };
}

type Series = Static<typeof schemas.PodcastDownloads>;

export function presentSeries({ interval, ...series }: DownloadSeries): Omit<Series, 'podcast_id'> {
  return { interval, ...presentPeriods(series) };
}

export function presentPeriods({
  periods,
  totals,
}: Omit<DownloadSeries, 'interval'>): Pick<Series, 'periods' | 'totals'> {
  return {
    periods: periods.map(({ start, end, downloads, peakDailyListeners, isPartial }) => ({
      period_start: start,
      period_end: end,
      downloads,
      unique_listeners: peakDailyListeners,
      partial: isPartial,
    })),
    totals: {
      downloads: totals.downloads,
      peak_daily_unique_listeners: totals.peakDailyListeners,
    },
  };
}

export function presentEpisodeDownloads(
  episodeId: string,
  downloads: EpisodeDownloads,
): Static<typeof schemas.EpisodeDownloads> {
  return {
    podcast_id: downloads.podcastId,
    episode_id: episodeId,
    ...presentSeries(downloads),
    all_time_downloads: downloads.allTimeDownloads,
    first_7_days_downloads: downloads.first7DaysDownloads,
  };
}

export function presentEpisodeAnalytics({
  id: episodeId,
  first7DaysDownloads,
  ...episode
}: EpisodeAnalytics): Static<typeof schemas.EpisodeAnalytics> {
  return {
    ...wireNames({ episodeId, ...episode }),
    first_7_days_downloads: first7DaysDownloads,
  };
}

export function presentBreakdown(
  { podcastId, episodeId, dimension }: BreakdownQuery,
  { isAvailable, totalDownloads, entries }: Breakdown,
): Static<typeof schemas.Breakdown> {
  return {
    podcast_id: podcastId,
    episode_id: episodeId ?? null,
    dimension,
    available: isAvailable,
    total_downloads: totalDownloads,
    entries: wireNames(entries),
  };
}

/** How downloads are counted, in the words of every analytics response. */
function describeMethodology({
  baseUrl,
}: Installation): Static<typeof AnalyticsMeta>['methodology'] {
  return {
    source: 'first_party',
    guideline: 'IAB Tech Lab Podcast Measurement Technical Guidelines 2.2',
    certified: false,
    download_definition:
      'One download for each hashed pair of IP address and user agent, episode and UTC day, after bots and data centers are filtered out. It counts once the requests of that day have received at least 60 seconds of audio, or the whole audio if it is shorter; each byte of the file counts once.',
    unique_listener_definition:
      'One hashed pair of IP address and user agent that has at least one download on that UTC day. Listeners are never added up across days: the hash changes every day.',
    day_boundary: 'UTC',
    docs_url: `${baseUrl}/docs/counting`,
  };
}
