import { useLingui } from '@lingui/react/macro';
import type { PlatformFigures } from '../../api/platforms.ts';

type Metrics = PlatformFigures['show_metrics'];
type Metric = keyof Metrics;

const order: readonly Metric[] = [
  'plays',
  'streams',
  'listeners',
  'engaged_listeners',
  'followers',
  'time_listened_seconds',
];

interface Named {
  readonly metric: Metric;
  readonly label: string;
  readonly value: number;
}

/** The figures of a file, by name; times in hours. */
export function useMetrics(metrics: Metrics): Named[] {
  const { t } = useLingui();
  const names: Readonly<Record<string, string>> = {
    plays: t`Plays`,
    streams: t`Plays of 60 seconds or more`,
    listeners: t`Listeners`,
    engaged_listeners: t`Engaged listeners`,
    followers: t`Followers`,
    time_listened_seconds: t`Hours listened`,
  };
  return order.flatMap((metric) => {
    const value = metrics[metric];
    if (value === undefined) return [];
    const isTime = metric === 'time_listened_seconds';
    return [
      { metric, label: names[metric] ?? metric, value: isTime ? Math.round(value / 3600) : value },
    ];
  });
}
