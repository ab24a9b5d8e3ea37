import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { TypicalRange } from '../../api/analytics.ts';
import { Chart } from '../../charts/chart.tsx';
import type { ChartBand, ChartModel } from '../../charts/chart-model.ts';
import { formatNumber } from '../../lib/format.ts';
import { formatChange, formatDays } from '../../lib/format-days.ts';
import { utcToday } from './search.ts';
import styles from './statistics.module.css';
import { useAges } from './use-ages.ts';
import { useFileSubject } from './use-file-subject.ts';

/** An episode's downloads by age, beside the typical range of its show. */
export function TypicalSection({ typical }: { readonly typical: TypicalRange }) {
  const known = typical.typical;
  const isKnown = known !== null && known.days.length > 0;
  return (
    <section className={styles['part']} aria-labelledby="typical">
      <h2 id="typical">
        <Trans>Compared with your typical episode</Trans>
      </h2>
      {isKnown && <Verdict typical={typical} />}
      {!isKnown && (
        <p>
          <Obstacle typical={typical} />
        </p>
      )}
      {isKnown && <TypicalChart typical={typical} />}
      {isKnown && <TypicalMethod typical={typical} method={known.method} />}
      {!isKnown && known !== null && <LeftOut of={known.method.left_out} />}
    </section>
  );
}

function TypicalChart({ typical }: { readonly typical: TypicalRange }) {
  const today = utcToday();
  const subject = useFileSubject({ from: today, to: today });
  return <Chart model={useTypicalModel(typical)} subject={subject} />;
}

/** The result in one sentence, before the chart. */
function Verdict({ typical: { typical } }: { readonly typical: TypicalRange }) {
  const { t } = useLingui();
  const standing = typical?.standing ?? null;
  if (typical === null || standing === null) {
    return (
      <p className={styles['verdict']}>
        <Trans>This episode hasn’t been out for a full day yet. Here’s what to expect.</Trans>
      </p>
    );
  }
  const positions = {
    below: t`Below your typical range`,
    within: t`Within your typical range`,
    above: t`Above your typical range`,
  };
  const { downloads, position } = standing;
  const day = formatNumber(standing.day);
  const fewer = formatNumber(standing.higher_than);
  const total = formatNumber(typical.method.compared_episodes);
  const middle = Math.round(typical.days[standing.day - 1]?.median ?? 0);
  return (
    <>
      <p className={`${styles['verdict']} ${styles[position]}`}>{positions[position]}</p>
      <p>
        <Trans>
          Downloads by the end of day {day}: {formatNumber(downloads)}. A typical episode of this
          show has {formatNumber(middle)} by then.
        </Trans>{' '}
        {standing.higher_than === 0 ? (
          <Trans>Lower than all {total} comparable episodes.</Trans>
        ) : (
          <Trans>
            Higher than {fewer} of {total} comparable episodes.
          </Trans>
        )}
      </p>
    </>
  );
}

function Obstacle({ typical: { obstacle, typical } }: { readonly typical: TypicalRange }) {
  switch (obstacle) {
    case 'not_counted':
      return <Trans>This show’s downloads aren’t counted here.</Trans>;
    case 'not_published':
      return <Trans>This episode isn’t published yet.</Trans>;
    case 'plan_history':
      return (
        <Trans>The statistics in this show’s plan don’t go back to the episode’s first days.</Trans>
      );
    case 'early_days_missing':
      return (
        <Trans>
          This episode was imported after it was published, so its first days were counted
          elsewhere.
        </Trans>
      );
    case 'early_downloads':
      return (
        <Trans>
          This episode has downloads from before its publication date, so its days can’t be
          compared.
        </Trans>
      );
    case 'republished':
      return (
        <Trans>
          This episode hasn’t been public for the whole time since its publication date, so its days
          can’t be compared.
        </Trans>
      );
    default: {
      const needed = formatNumber(typical?.method.needed_episodes ?? 0);
      return (
        <>
          <Trans>There aren’t enough episodes yet to say what’s typical.</Trans>{' '}
          <Plural
            value={typical?.method.compared_episodes ?? 0}
            one={`# earlier episode can be compared; ${needed} are needed.`}
            other={`# earlier episodes can be compared; ${needed} are needed.`}
          />
        </>
      );
    }
  }
}

type Method = NonNullable<TypicalRange['typical']>['method'];

/** The method in words, with its numbers. */
function TypicalMethod({
  typical,
  method,
}: {
  readonly typical: TypicalRange;
  readonly method: Method;
}) {
  const { horizon_days: days, monthly_growth: growth } = method;
  const count = formatNumber(method.compared_episodes);
  const hasWide = typical.typical?.days.some(({ most }) => most !== null) ?? false;
  return (
    <details>
      <summary>
        <Trans>How the range is calculated</Trans>
      </summary>
      <p>
        <Trans>
          This episode is compared with the newest episodes of the same type that were published
          before it and are at least <Plural value={days} one="# day" other="# days" /> old, up to
          twenty. There are {count}.
        </Trans>{' '}
        {method.published_from !== null && method.published_to !== null && (
          <Trans>Published: {formatDays(method.published_from, method.published_to)} (UTC).</Trans>
        )}
      </p>
      {hasWide ? (
        <p>
          <Trans>
            Half of such episodes fall within the inner range, and 8 in 10 within the outer range.
          </Trans>
        </p>
      ) : (
        <p>
          <Trans>
            Half of such episodes fall within the range. A range for 8 in 10 needs at least nine
            episodes.
          </Trans>
        </p>
      )}
      <p>
        {growth === 0 ? (
          <Trans>
            The show’s growth isn’t taken into account: that needs at least twelve episodes.
          </Trans>
        ) : (
          <Trans>
            The show’s downloads change by {formatChange(growth)} in 30 days. Earlier episodes are
            adjusted for this.
          </Trans>
        )}
      </p>
      <LeftOut of={method.left_out} />
      <p>
        <Trans>
          Day 1 is the day of publication (UTC), even if the episode was published late that day.
          Only complete days are compared.
        </Trans>
      </p>
    </details>
  );
}

function LeftOut({ of }: { readonly of: Method['left_out'] }) {
  const { early_days_missing: missing, early_downloads: early, republished, too_young: young } = of;
  if (missing + early + republished + young === 0) return null;
  return (
    <ul>
      {missing > 0 && (
        <li>
          <Plural
            value={missing}
            one="# episode is left out: its first days weren’t counted here."
            other="# episodes are left out: their first days weren’t counted here."
          />
        </li>
      )}
      {early > 0 && (
        <li>
          <Plural
            value={early}
            one="# episode is left out: it has downloads from before its publication date."
            other="# episodes are left out: they have downloads from before their publication date."
          />
        </li>
      )}
      {republished > 0 && (
        <li>
          <Plural
            value={republished}
            one="# episode is left out: it hasn’t been public for the whole time since its publication date."
            other="# episodes are left out: they haven’t been public for the whole time since their publication date."
          />
        </li>
      )}
      {young > 0 && (
        <li>
          <Plural
            value={young}
            one="# episode is left out: it isn’t old enough."
            other="# episodes are left out: they aren’t old enough."
          />
        </li>
      )}
    </ul>
  );
}

type Day = NonNullable<TypicalRange['typical']>['days'][number];

const whole = (value: number | undefined) => (value === undefined ? null : Math.round(value));

/** The episode's line in front of the ranges of its show. */
function useTypicalModel({ episode, typical }: TypicalRange): ChartModel {
  const { t } = useLingui();
  const ages = useAges();
  return useMemo(() => {
    const days = typical?.days ?? [];
    const totals = episode?.totals ?? [];
    const soFar = episode?.so_far ?? null;
    const own = [...totals, ...(soFar === null ? [] : [soFar])];
    const band = (
      label: string,
      [lowLabel, highLabel]: [string, string],
      of: (day: Day) => Day['most'],
    ): ChartBand => ({
      ...{ label, lowLabel, highLabel },
      low: days.map((day) => whole(of(day)?.low)),
      high: days.map((day) => whole(of(day)?.high)),
    });
    const half = band(t`Half of your episodes`, [t`Half: from`, t`Half: to`], (day) => day.half);
    const most = band(t`8 in 10 episodes`, [t`8 in 10: from`, t`8 in 10: to`], (day) => day.most);
    return {
      title: t`Downloads since publication, compared with your typical episode`,
      summary: t`Total downloads by the end of each day since publication.`,
      pointHeading: t`Age`,
      points: ages(days.length),
      series: [
        {
          label: t`This episode`,
          values: days.map((_, index) => own[index] ?? null),
          look: 'main',
          openEnd: soFar === null ? undefined : t`the day isn’t over`,
        },
        {
          label: t`Typical episode`,
          values: days.map(({ median }) => whole(median)),
          look: 'compared',
        },
      ],
      bands: days.some((day) => day.most !== null) ? [most, half] : [half],
    };
  }, [episode, typical, ages, t]);
}
