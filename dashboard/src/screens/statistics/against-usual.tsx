import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { Usual } from '../../api/analytics.ts';
import { Chart } from '../../charts/chart.tsx';
import type { ChartBand, ChartModel } from '../../charts/chart-model.ts';
import { formatNumber } from '../../lib/format.ts';
import { formatChange, formatDays } from '../../lib/format-days.ts';
import { utcToday } from './search.ts';
import styles from './statistics.module.css';
import { useAges } from './use-ages.ts';
import { useFileSubject } from './use-file-subject.ts';

/** An episode's downloads by age, beside the usual range of its show. */
export function AgainstUsual({ usual }: { readonly usual: Usual }) {
  const known = usual.usual;
  const isKnown = known !== null && known.days.length > 0;
  return (
    <section className={styles['part']} aria-labelledby="usual">
      <h2 id="usual">
        <Trans>Against your usual</Trans>
      </h2>
      {isKnown && <Verdict usual={usual} />}
      {!isKnown && (
        <p>
          <Obstacle usual={usual} />
        </p>
      )}
      {isKnown && <UsualChart usual={usual} />}
      {isKnown && <UsualMethod usual={usual} method={known.method} />}
      {!isKnown && known !== null && <LeftOut of={known.method.left_out} />}
    </section>
  );
}

function UsualChart({ usual }: { readonly usual: Usual }) {
  const today = utcToday();
  const subject = useFileSubject({ from: today, to: today });
  return <Chart model={useUsualModel(usual)} subject={subject} />;
}

/** The result in one sentence, before the chart. */
function Verdict({ usual: { usual } }: { readonly usual: Usual }) {
  const { t } = useLingui();
  const standing = usual?.standing ?? null;
  if (usual === null || standing === null) {
    return (
      <p className={styles['verdict']}>
        <Trans>No day of this episode is over yet. This is what to expect.</Trans>
      </p>
    );
  }
  const positions = {
    below: t`Below your usual`,
    within: t`Within your usual`,
    above: t`Above your usual`,
  };
  const { downloads, position } = standing;
  const day = formatNumber(standing.day);
  const fewer = formatNumber(standing.higher_than);
  const total = formatNumber(usual.method.compared_episodes);
  const middle = Math.round(usual.days[standing.day - 1]?.median ?? 0);
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

function Obstacle({ usual: { obstacle, usual } }: { readonly usual: Usual }) {
  switch (obstacle) {
    case 'not_counted':
      return <Trans>The downloads of this show are not counted here.</Trans>;
    case 'not_published':
      return <Trans>The episode is not published yet.</Trans>;
    case 'plan_history':
      return (
        <Trans>The plan of this show does not reach back to the first days of this episode.</Trans>
      );
    case 'early_days_missing':
      return (
        <Trans>
          This episode came here after its publication, so its first days were counted elsewhere.
        </Trans>
      );
    case 'early_downloads':
      return (
        <Trans>
          This episode has downloads from before its publication date, so its days cannot be
          compared.
        </Trans>
      );
    case 'republished':
      return (
        <Trans>
          This episode has not been public all the time since its publication date, so its days
          cannot be compared.
        </Trans>
      );
    default: {
      const needed = formatNumber(usual?.method.needed_episodes ?? 0);
      return (
        <>
          <Trans>There are not enough episodes yet to say what is usual.</Trans>{' '}
          <Plural
            value={usual?.method.compared_episodes ?? 0}
            one={`# earlier episode can be compared; it takes ${needed}.`}
            other={`# earlier episodes can be compared; it takes ${needed}.`}
          />
        </>
      );
    }
  }
}

type Method = NonNullable<Usual['usual']>['method'];

/** The method in words, with its numbers. */
function UsualMethod({ usual, method }: { readonly usual: Usual; readonly method: Method }) {
  const { horizon_days: days, monthly_growth: growth } = method;
  const count = formatNumber(method.compared_episodes);
  const hasWide = usual.usual?.days.some(({ most }) => most !== null) ?? false;
  return (
    <details>
      <summary>
        <Trans>How the range is made</Trans>
      </summary>
      <p>
        <Trans>
          Compared with the newest episodes of the same type that were published before this one and
          are at least <Plural value={days} one="# day" other="# days" /> old, twenty at most. There
          are {count}.
        </Trans>{' '}
        {method.published_from !== null && method.published_to !== null && (
          <Trans>
            Their publications: {formatDays(method.published_from, method.published_to)}.
          </Trans>
        )}
      </p>
      {hasWide ? (
        <p>
          <Trans>
            An episode like these ends up in the inner range in half of all cases, and in the outer
            one in eight of ten.
          </Trans>
        </p>
      ) : (
        <p>
          <Trans>
            An episode like these ends up in the range in half of all cases. A range of eight in ten
            takes nine episodes.
          </Trans>
        </p>
      )}
      <p>
        {growth === 0 ? (
          <Trans>
            The growth of the show is not taken into account: that takes twelve episodes.
          </Trans>
        ) : (
          <Trans>
            The show changes by {formatChange(growth)} in 30 days. Earlier episodes are adjusted for
            that.
          </Trans>
        )}
      </p>
      <LeftOut of={method.left_out} />
      <p>
        <Trans>
          Day 1 is the day of publication (UTC), however late it was on that day. Only days that are
          over are compared.
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
            one="# episode is left out: its first days were not counted here."
            other="# episodes are left out: their first days were not counted here."
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
            one="# episode is left out: it has not been public all the time since its publication date."
            other="# episodes are left out: they have not been public all the time since their publication date."
          />
        </li>
      )}
      {young > 0 && (
        <li>
          <Plural
            value={young}
            one="# episode is left out: it is not old enough."
            other="# episodes are left out: they are not old enough."
          />
        </li>
      )}
    </ul>
  );
}

type Day = NonNullable<Usual['usual']>['days'][number];

const whole = (value: number | undefined) => (value === undefined ? null : Math.round(value));

/** The episode's line in front of the ranges of its show. */
function useUsualModel({ episode, usual }: Usual): ChartModel {
  const { t } = useLingui();
  const ages = useAges();
  return useMemo(() => {
    const days = usual?.days ?? [];
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
    const most = band(
      t`Eight of ten episodes`,
      [t`Eight of ten: from`, t`Eight of ten: to`],
      (day) => day.most,
    );
    return {
      title: t`Downloads since publication, against your usual`,
      summary: t`Downloads until the end of each day since publication.`,
      pointHeading: t`Age`,
      points: ages(days.length),
      series: [
        {
          label: t`This episode`,
          values: days.map((_, index) => own[index] ?? null),
          look: 'main',
          openEnd: soFar === null ? undefined : t`the day is not over`,
        },
        {
          label: t`Typical episode`,
          values: days.map(({ median }) => whole(median)),
          look: 'compared',
        },
      ],
      bands: days.some((day) => day.most !== null) ? [most, half] : [half],
    };
  }, [episode, usual, ages, t]);
}
