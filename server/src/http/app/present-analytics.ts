import type { Static } from 'typebox';
import type {
  Comparison,
  CurvesByAge,
  DownloadSeries,
  EpisodeExplanation,
  EpisodeUsual,
} from '../../domain/audience/analytics/index.ts';
import { wireNames } from '../../lib/wire-names.ts';
import { presentPeriods } from '../analytics/present-figures.ts';
import type * as schemas from './schemas/analytics.ts';

type Compared = Pick<Static<typeof schemas.ComparedPodcastDownloads>, 'comparison'>;

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
  { evidence, days, total }: EpisodeExplanation,
): Static<typeof schemas.EpisodeExplanation> {
  return wireNames({ episodeId, evidence, days, total });
}

export function presentUsual(
  episodeId: string,
  { freshness: _, episode, usual, ...rest }: EpisodeUsual,
): Static<typeof schemas.EpisodeUsual> {
  return {
    ...wireNames({ episodeId, ...rest }),
    episode: episode && presentCurve(episode),
    usual: usual && wireNames({ ...usual, days: usual.days.map(roundDay) }),
  };
}

type Days = NonNullable<EpisodeUsual['usual']>['days'];

/** Downloads need no more than one decimal. */
function roundDay({ day, median, half, most }: Days[number]): Days[number] {
  const bounds = ({ low, high }: typeof half) => ({ low: round(low), high: round(high) });
  return { day, median: round(median), half: bounds(half), most: most && bounds(most) };
}

const round = (value: number) => Math.round(value * 10) / 10;

type Curve = CurvesByAge['curves'][number];

function presentCurve({ id: episodeId, ...rest }: Omit<Curve, 'flaw'>) {
  return wireNames({ episodeId, ...rest });
}

export function presentComparedCurve({ flaw, ...curve }: Curve): Static<typeof schemas.CurveByAge> {
  return { ...presentCurve(curve), flaw };
}
