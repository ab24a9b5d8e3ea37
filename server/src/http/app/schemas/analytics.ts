import Type from 'typebox';
import { curveFlaws, obstacles, reasonsForNone } from '../../../domain/analytics/index.ts';
import { rejectionReasons } from '../../../domain/downloads/index.ts';
import { episodeTypes } from '../../../domain/episodes/index.ts';
import { EpisodeDownloads, PodcastDownloads } from '../../v1/keyed/analytics/schemas.ts';
import { id, nullable } from './fields.ts';

/** Beside the shapes that the keyed endpoints have, too (http/v1/keyed/analytics). */

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
        downloads: count('Of these days.'),
        previous_downloads: count('Of as many days from `from`.'),
      },
      { description: 'A fair comparison: today, which is not over, is left out of both.' },
    ),
  },
  { $id: 'PreviousPeriod', description: 'The days before the range, as many as it has.' },
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
              'The range is the whole history; or the plan does not show the days before it; or downloads are not counted here.',
          }),
        ),
      },
      { description: 'Only with `compare`.' },
    ),
  ),
};

export const ComparedPodcastDownloads = Type.Object(
  { ...PodcastDownloads.properties, ...comparison },
  { $id: 'ComparedPodcastDownloads' },
);

export const ComparedEpisodeDownloads = Type.Object(
  { ...EpisodeDownloads.properties, ...comparison },
  { $id: 'ComparedEpisodeDownloads' },
);

const funnel = {
  requests: count('All requests for the audio.'),
  rejected: Type.Array(
    Type.Object({
      reason: Type.Enum([...rejectionReasons], { type: 'string' }),
      requests: count('Rejected for it.'),
    }),
    { description: 'Requests that can never count, the most frequent reason first.' },
  ),
  repeated: count('Further requests of the same listener on the same day.'),
  partial: count('Listeners who received too little of the audio.'),
  downloads: count('What is left.'),
};

/** `requests` = the rejected ones + `repeated` + `partial` + `downloads`. */
export const EpisodeExplanation = Type.Object(
  {
    episode_id: id,
    evidence: nullable(
      Type.Object(
        { from: day, to: day },
        { description: 'Days of the range whose requests are kept; null: none.' },
      ),
    ),
    days: Type.Array(Type.Object({ day, ...funnel })),
    total: Type.Object(funnel),
  },
  { $id: 'EpisodeExplanation' },
);

const amount = (description: string) => Type.Number({ minimum: 0, description });

const curve = {
  episode_id: id,
  title: Type.String(),
  published_on: day,
  totals: Type.Array(Type.Integer(), {
    description:
      'Downloads until the end of each day of age; the first is the UTC day of publication. Only days that are over and counted.',
  }),
  so_far: nullable(
    Type.Integer({ description: 'Downloads until now, if another day of age has begun.' }),
  ),
};

const Bounds = Type.Object({ low: amount('At least.'), high: amount('At most.') });

const UsualDay = Type.Object({
  day: count('Of age, from 1.'),
  median: amount('Downloads until its end, in the middle of all compared episodes.'),
  half: Type.Object(Bounds.properties, { description: 'Half of all episodes end up here.' }),
  most: nullable(
    Type.Object(Bounds.properties, {
      description: 'Eight of ten episodes end up here; null: too few episodes to tell.',
    }),
  ),
});

const UsualMethod = Type.Object({
  compared_episodes: count('How many are compared: the newest twenty at most.'),
  needed_episodes: count('With fewer there is no range.'),
  horizon_days: count('Every compared episode is at least this old; the range ends there.'),
  published_from: nullable(day),
  published_to: nullable(day),
  monthly_growth: Type.Number({
    description:
      'Of the show in 30 days, by which the compared episodes are adjusted: 0.05 is 5 % more; 0 also if there are too few to measure it.',
  }),
  left_out: Type.Object(
    {
      early_days_missing: count('They came here after their publication.'),
      republished: count('They were public at other times than from their publication on.'),
      too_young: count('They are younger than the horizon.'),
    },
    { description: 'Earlier episodes that are not compared.' },
  ),
});

export const EpisodeUsual = Type.Object(
  {
    podcast_id: id,
    episode_id: id,
    episode_type: Type.Enum([...episodeTypes], { type: 'string' }),
    episode: nullable(Type.Object(curve)),
    obstacle: nullable(
      Type.Enum([...obstacles], {
        type: 'string',
        description: 'Why the episode cannot be compared; null: it can.',
      }),
    ),
    usual: nullable(
      Type.Object({
        days: Type.Array(UsualDay, { description: 'Empty if there are too few episodes.' }),
        standing: nullable(
          Type.Object(
            {
              day: count('Of age: the last that is complete.'),
              downloads: count('Until its end.'),
              higher_than: count('Compared episodes that had fewer, adjusted for growth.'),
              position: Type.Enum(['below', 'within', 'above'], {
                type: 'string',
                description: 'Against `most`, or `half` where that is null.',
              }),
            },
            { description: 'Null: no day is complete, or there are too few episodes.' },
          ),
        ),
        method: UsualMethod,
      }),
    ),
  },
  { $id: 'EpisodeUsual' },
);

export const CurveByAge = Type.Object(
  {
    ...curve,
    flaw: nullable(
      Type.Enum(['plan_history', ...curveFlaws], {
        type: 'string',
        description: 'Why it has no totals, or (`republished`) others than a first publication.',
      }),
    ),
  },
  { $id: 'CurveByAge' },
);
