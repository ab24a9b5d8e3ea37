import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { Usual } from '../../api/analytics.ts';
import type { ChartBand, ChartModel } from '../../charts/chart-model.ts';
import { useAges } from './use-ages.ts';

type Day = NonNullable<Usual['usual']>['days'][number];

const whole = (value: number | undefined) => (value === undefined ? null : Math.round(value));

/** The episode's line in front of the ranges of its show. */
export function useUsualModel({ episode, usual }: Usual): ChartModel {
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
