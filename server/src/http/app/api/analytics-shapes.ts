import type { Static } from 'typebox';
import Type from 'typebox';
import {
  type Comparison,
  type CurvesByAge,
  type DownloadSeries,
  type EpisodeExplanation as Explanation,
  exclusionReasons,
  obstacles,
  reasonsForNone,
  type EpisodeTypicalRange as TypicalRange,
} from '../../../domain/audience/analytics/index.ts';
import { rejectionReasons } from '../../../domain/audience/downloads/index.ts';
import { episodeTypes } from '../../../domain/foundation/enumerations.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { EpisodeAnalytics, EpisodeDownloads, PodcastDownloads } from '../../analytics/figures.ts';
import { presentPeriods } from '../../analytics/present-figures.ts';
import { id, named, nullable } from '../field-schemas.ts';

/** Shapes that the keyed endpoints do not have (those are in http/analytics/figures.ts). */

const day = Type.String({ description: 'A UTC day, YYYY-MM-DD.' });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const { periods, totals } = PodcastDownloads.properties;

const Previous = Type.Object(
  {
    from: day,
    to: day,
    periods,
    totals,
    covered: Type.Boolean({
      description: 'False: the first download came after `from`, so the figures may lack days.',
    }),
    compared: Type.Object(
      {
        days: count('The whole days of the range.'),
        downloads: count('Downloads of these days.'),
        previous_downloads: count('Downloads of as many days, starting at `from`.'),
      },
      { description: 'A comparison without today, which has not ended.' },
    ),
  },
  { $id: 'PreviousPeriod', description: 'As many days before the range as it has.' },
);

const comparison = {
  comparison: Type.Optional(
    Type.Object(
      {
        previous: nullable(Previous),
        reason_for_none: nullable(
          Type.Enum([...reasonsForNone], {
            type: 'string',
            description:
              'Why there is no comparison: the range is the whole history, the plan does not show earlier days, or downloads are not counted here.',
          }),
        ),
      },
      { description: 'Only with `compare`.' },
    ),
  ),
};

export const ComparedPodcastDownloads = named('ComparedPodcastDownloads', {
  ...PodcastDownloads.properties,
  ...comparison,
});

export const ComparedEpisodeDownloads = named('ComparedEpisodeDownloads', {
  ...EpisodeDownloads.properties,
  ...comparison,
});

const isFirstWeekComplete = nullable(
  Type.Boolean({
    description:
      'Whether the day of publication and the six days after it are over and counted; null: never published, or nothing is counted.',
  }),
);

export const EpisodeFigures = named('EpisodeFigures', {
  ...EpisodeAnalytics.properties,
  is_first_week_complete: isFirstWeekComplete,
});

const funnel = {
  requests: count('All requests for the audio.'),
  rejected: Type.Array(
    Type.Object({
      reason: Type.Enum([...rejectionReasons], { type: 'string' }),
      requests: count('Requests rejected for this reason.'),
    }),
    { description: 'Requests that can never count, the most frequent reason first.' },
  ),
  repeated: count('Further requests of the same listener on the same day.'),
  partial: count('Listeners who received too little of the audio.'),
  downloads: count('The rest, which count as downloads.'),
};

/** `requests` = the rejected ones + `repeated` + `partial` + `downloads`. */
export const EpisodeExplanation = named('EpisodeExplanation', {
  episode_id: id,
  evidence: nullable(
    Type.Object(
      { from: day, to: day },
      { description: 'Days of the range whose requests are kept; null: none.' },
    ),
  ),
  days: Type.Array(Type.Object({ day, ...funnel })),
  total: Type.Object(funnel),
});

const amount = (description: string) => Type.Number({ minimum: 0, description });

const curve = {
  episode_id: id,
  title: Type.String(),
  published_on: day,
  totals: Type.Array(Type.Integer(), {
    description:
      'Downloads until the end of each day of age; the first day is the UTC day of publication. Only days that are over and completely counted.',
  }),
  so_far: nullable(
    Type.Integer({ description: 'Downloads until now, if a further day of age has begun.' }),
  ),
};

const Bounds = Type.Object({ low: amount('At least.'), high: amount('At most.') });

const TypicalDay = Type.Object({
  day: count('Day of age, from 1.'),
  median: amount('The median of the downloads until the end of this day.'),
  half: Type.Object(Bounds.properties, {
    description: 'The range of the middle half of the episodes.',
  }),
  most: nullable(
    Type.Object(Bounds.properties, {
      description: 'The range of the middle eight of ten episodes; null: too few episodes.',
    }),
  ),
});

const TypicalMethod = Type.Object({
  compared_episodes: count('The number of compared episodes: at most the newest twenty.'),
  needed_episodes: count('With fewer compared episodes there are no typical values.'),
  horizon_days: count(
    'Days for which there are typical values; every compared episode is at least this old.',
  ),
  published_from: nullable(day),
  published_to: nullable(day),
  monthly_growth: Type.Number({
    description:
      "The show's growth in 30 days, by which earlier episodes are adjusted: 0.05 is 5 % more. 0 also if there are too few episodes to measure it.",
  }),
  left_out: Type.Object(
    {
      early_days_missing: count('Episodes that were added here after their publication.'),
      early_downloads: count('Episodes that have downloads from before their publication date.'),
      republished: count(
        'Episodes that were withdrawn and published again, or published later than their date says.',
      ),
      too_young: count('Episodes that are younger than `horizon_days`.'),
    },
    { description: 'Earlier episodes that are not compared.' },
  ),
});

export const EpisodeTypicalRange = named('EpisodeTypicalRange', {
  podcast_id: id,
  episode_id: id,
  episode_type: Type.Enum([...episodeTypes], { type: 'string' }),
  episode: nullable(Type.Object(curve)),
  obstacle: nullable(
    Type.Enum([...obstacles], {
      type: 'string',
      description: 'Why the episode cannot be compared; null if it can.',
    }),
  ),
  is_first_week_complete: isFirstWeekComplete,
  typical: nullable(
    Type.Object({
      days: Type.Array(TypicalDay, { description: 'Empty if there are too few episodes.' }),
      standing: nullable(
        Type.Object(
          {
            day: count('The last complete day of age.'),
            downloads: count('Downloads until its end.'),
            higher_than: count('Compared episodes that had fewer, adjusted for growth.'),
            position: Type.Enum(['below', 'within', 'above'], {
              type: 'string',
              description: 'Compared with `most`, or with `half` if `most` is null.',
            }),
          },
          { description: 'Null: no day is complete, or there are too few episodes.' },
        ),
      ),
      method: TypicalMethod,
    }),
  ),
});

export const CurveByAge = named('CurveByAge', {
  ...curve,
  exclusion_reason: nullable(
    Type.Enum(['plan_history', ...exclusionReasons], {
      type: 'string',
      description:
        'Why it has no totals; `early_downloads`, `republished`: why its totals cannot be compared.',
    }),
  ),
});

type Compared = Pick<Static<typeof ComparedPodcastDownloads>, 'comparison'>;

/** Empty if no comparison was requested. */
export function presentComparison({
  comparison,
}: DownloadSeries & { readonly comparison?: Comparison }): Compared {
  if (comparison === undefined) return {};
  const { previous, reasonForNone } = comparison;
  if (previous === null) {
    return { comparison: { previous: null, reason_for_none: reasonForNone } };
  }
  const { from, to, isCovered, compared } = previous;
  return {
    comparison: {
      previous: {
        ...{ from, to, ...presentPeriods(previous), covered: isCovered },
        compared: {
          days: compared.days,
          downloads: compared.downloads,
          previous_downloads: compared.previousDownloads,
        },
      },
      reason_for_none: null,
    },
  };
}

export function presentExplanation(
  episodeId: string,
  { evidence, days, total }: Explanation,
): Static<typeof EpisodeExplanation> {
  return wireNames({ episodeId, evidence, days, total });
}

export function presentTypical(
  episodeId: string,
  { freshness: _, episode, typical, ...rest }: TypicalRange,
): Static<typeof EpisodeTypicalRange> {
  return {
    ...wireNames({ episodeId, ...rest }),
    episode: episode && presentCurve(episode),
    typical: typical && wireNames({ ...typical, days: typical.days.map(roundDay) }),
  };
}

type Days = NonNullable<TypicalRange['typical']>['days'];

/** Downloads need no more than one decimal. */
function roundDay({ day, median, half, most }: Days[number]): Days[number] {
  const bounds = ({ low, high }: typeof half) => ({ low: round(low), high: round(high) });
  return { day, median: round(median), half: bounds(half), most: most && bounds(most) };
}

const round = (value: number) => Math.round(value * 10) / 10;

type Curve = CurvesByAge['curves'][number];

function presentCurve({ id: episodeId, ...rest }: Omit<Curve, 'exclusionReason'>) {
  return wireNames({ episodeId, ...rest });
}

export function presentComparedCurve({
  exclusionReason,
  ...curve
}: Curve): Static<typeof CurveByAge> {
  return { ...presentCurve(curve), exclusion_reason: exclusionReason };
}
