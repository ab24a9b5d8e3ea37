import { useLingui } from '@lingui/react/macro';
import { useCallback } from 'react';
import type { ChartPoint } from '../../charts/chart-model.ts';
import { formatNumber } from '../../lib/format.ts';

/** The days of age, from day 1, as points of a chart. */
export function useAges(): (days: number) => ChartPoint[] {
  const { t } = useLingui();
  return useCallback(
    (days) =>
      Array.from({ length: days }, (_, index) => {
        const day = formatNumber(index + 1);
        return { label: t`Day ${day}`, short: t`Day ${day}` };
      }),
    [t],
  );
}
