import Type, { type TSchema } from 'typebox';
import { intervals } from '../../domain/audience/analytics/index.ts';
import { countedDimensions, revisableDays } from '../../domain/audience/downloads/index.ts';
import { episodeStatuses } from '../../domain/foundation/enumerations.ts';
import {
  count,
  episodeExample,
  flag,
  exampleBaseUrl as host,
  id,
  named,
  nullable,
  part,
  podcastExample,
  someMoment,
  text,
  url,
  values,
} from '../openapi/described-fields.ts';

/** The schemas of analytics, with the names of the API; see v1/public-schemas.ts. */

const someDay = (example: string) => Type.String({ format: 'date', examples: [example] });
const day = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] });

const Range = part('The range of the figures: UTC days, including both ends.', {
  requested_from: day('First requested day.', '2026-02-01'),
  requested_to: day('Last requested day.', '2026-03-31'),
  from: day('First day used.', '2026-03-02'),
  to: day('Last day used.', '2026-03-31'),
  clamped: flag('Whether `from` is later than requested.', true),
  clamp_reason: nullable(
    values(['plan_history'], "`plan_history`: the plan's history begins later.", 'plan_history'),
    'Why the range was shortened; null if it was not.',
  ),
  retention_days: nullable(
    Type.Integer({ minimum: 1, examples: [365] }),
    "Days of the plan's history, including today; null: unlimited.",
  ),
  data_start: nullable(someDay('2026-01-15'), 'Day of the first counted download; null: none yet.'),
});

const Freshness = part('How complete the figures are.', {
  source: values(
    ['first_party', 'none'],
    '`first_party`: counted by this service; `none`: the audio is hosted elsewhere, and every figure is zero.',
    'first_party',
  ),
  verified_from: nullable(someDay('2026-01-15'), 'The same as `data_start`.'),
  complete_through: nullable(
    someDay('2026-03-30'),
    'The last day that has ended and is completely counted; null if nothing is counted.',
  ),
  revisable_days: count('Days before today whose figures may still change.', revisableDays),
  today_partial: flag('Whether the range includes today, which has not ended.', true),
  last_updated_at: nullable(
    someMoment('2026-03-31T14:05:12.000Z'),
    'When the totals were last updated; null: nothing has been counted yet.',
  ),
});

const Methodology = part('How the figures are calculated.', {
  source: text('Who counts the downloads.', 'first_party'),
  guideline: text(
    'The standard that the counting follows.',
    'IAB Tech Lab Podcast Measurement Technical Guidelines 2.2',
  ),
  certified: flag('Whether the counting is certified.', false),
  download_definition: text(
    'The definition of a download.',
    'One for each listener, episode and UTC day.',
  ),
  unique_listener_definition: text(
    'The definition of a listener.',
    'A hashed pair of one UTC day.',
  ),
  day_boundary: text('Time zone of the days.', 'UTC'),
  docs_url: url('More about the counting.', `${host}/docs/counting`),
});

export const AnalyticsMeta = named(
  'AnalyticsMeta',
  'The range of the figures, their completeness and their method.',
  { range: Range, freshness: Freshness, methodology: Methodology },
);

/** Figures, with their completeness and their method. */
export const figuresOf = <Data extends TSchema>(data: Data) =>
  Type.Object({ data, meta: AnalyticsMeta });

const series = {
  interval: values(intervals, 'Length of a period.', 'day'),
  periods: Type.Array(
    Type.Object({
      period_start: day('First day of the period.', '2026-03-30'),
      period_end: day('Last day of the period.', '2026-03-30'),
      downloads: count('Downloads of the period.', 412),
      unique_listeners: count(
        'Listeners of the day; for weeks and months, those of the day with most listeners.',
        371,
      ),
      partial: flag('Whether the period is only partly in the range, or includes today.', false),
    }),
    { description: 'Every period of the range, in order.' },
  ),
  totals: part('Totals of the range.', {
    downloads: count('Downloads of all periods.', 12034),
    peak_daily_unique_listeners: count('Listeners of the day with most listeners.', 498),
  }),
};

export const PodcastDownloads = named('PodcastDownloads', 'Downloads of a podcast over time.', {
  podcast_id: id('The id of the podcast.', podcastExample),
  ...series,
});

const unlimited = {
  all_time_downloads: count('All-time downloads, regardless of the range and the plan.', 48210),
  first_7_days_downloads: count(
    'Downloads on the UTC day of its publication and the six days after it; 0 before publication.',
    9120,
  ),
};

export const EpisodeDownloads = named('EpisodeDownloads', 'Downloads of an episode over time.', {
  podcast_id: id('The id of its podcast.', podcastExample),
  episode_id: id('The id of the episode.', episodeExample),
  ...series,
  ...unlimited,
});

export const EpisodeAnalytics = named('EpisodeAnalytics', 'Downloads of an episode.', {
  episode_id: id('The id of the episode.', episodeExample),
  title: text('Name of the episode.', 'First light'),
  slug: text('The current name in public URLs.', 'first-light'),
  status: values(episodeStatuses, 'The current status.', 'published'),
  published_at: nullable(someMoment('2026-03-01T05:00:00.000Z'), 'Null if it was never public.'),
  downloads: count('Downloads in the range.', 1204),
  ...unlimited,
});

export const Breakdown = named('Breakdown', 'Downloads by one dimension.', {
  podcast_id: id('The id of the podcast.', podcastExample),
  episode_id: nullable(
    Type.String({ format: 'uuid', examples: [episodeExample] }),
    'The id of the episode that it is limited to; null: all episodes.',
  ),
  dimension: values(countedDimensions, 'How downloads are grouped.', 'apps'),
  available: flag('False for a podcast hosted elsewhere; it has no entries.', true),
  total_downloads: count(
    'Downloads in the range; for `referrers`, only those that had one.',
    12034,
  ),
  entries: Type.Array(
    Type.Object({
      key: text(
        'Stable name: the label in lower case with hyphens, a country code of ISO 3166-1, a source, or a host. `unknown`: the value is not known; `other`: the rest.',
        'apple-podcasts',
      ),
      label: text('Display name.', 'Apple Podcasts'),
      downloads: count('Downloads in the range.', 7412),
      share: Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of `total_downloads`, to four decimal places.',
        examples: [0.6159],
      }),
    }),
    {
      description:
        'The top 5, or 15 with advanced analytics, by downloads, then key; the rest comes last as `other`.',
    },
  ),
});
