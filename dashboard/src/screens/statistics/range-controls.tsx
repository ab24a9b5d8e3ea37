import { Trans, useLingui } from '@lingui/react/macro';
import type { AnalyticsMeta } from '../../api/analytics.ts';
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/select.tsx';
import { type Preset, presets, type StatisticsSearch, utcToday } from './search.ts';
import styles from './statistics.module.css';
import { useStatisticsSearch } from './use-statistics-search.ts';

/** The days of the figures; undefined while they load. */
type UsedDays = Pick<AnalyticsMeta['range'], 'from' | 'to'>;

/** Which days, and how long each point of a chart is. */
export function RangeControls({ used }: { readonly used: UsedDays | undefined }) {
  const { t } = useLingui();
  const { range, interval, change } = useStatisticsSearch();
  const names: Readonly<Record<Preset, string>> = {
    '7d': t`7 days`,
    '30d': t`30 days`,
    '90d': t`90 days`,
    '12m': t`12 months`,
    all: t`All time`,
  };
  return (
    <search className={styles['controls']} aria-label={t`Range`}>
      <fieldset className={styles['presets']}>
        <legend className="unseen">
          <Trans>Last days</Trans>
        </legend>
        {presets.map((preset) => (
          <Button
            key={preset}
            size="small"
            kind={range.preset === preset ? 'primary' : 'plain'}
            aria-pressed={range.preset === preset}
            onPress={() => change({ preset, from: undefined, to: undefined, interval: undefined })}
          >
            {names[preset]}
          </Button>
        ))}
      </fieldset>
      <OwnDays from={range.from} to={range.to} used={used} change={change} />
      <Select
        label={t`By`}
        value={interval}
        onChange={(value) => change({ interval: value })}
        options={[
          { value: 'day', label: t`Day` },
          { value: 'week', label: t`Week` },
          { value: 'month', label: t`Month` },
        ]}
      />
    </search>
  );
}

interface DaysProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly used: UsedDays | undefined;
  readonly change: (changes: StatisticsSearch) => unknown;
}

/** The days of the range. If the browser cannot read a chosen day, the old one stays. */
function OwnDays({ from, to, used, change }: DaysProps) {
  const shown = { from: from ?? used?.from ?? '', to: to ?? used?.to ?? '' };
  const today = utcToday();
  const choose = (days: { readonly from: string; readonly to: string | undefined }) => {
    if (days.from === '') return;
    const last = !days.to || days.to < days.from ? undefined : days.to;
    change({ preset: undefined, from: days.from, to: last, interval: undefined });
  };
  return (
    <div className={styles['days']}>
      <label>
        <Trans>From</Trans>
        <input
          type="date"
          value={shown.from}
          min="1970-01-01"
          max={today}
          onChange={(event) => choose({ from: event.target.value, to })}
        />
      </label>
      <label>
        <Trans>To</Trans>
        <input
          type="date"
          value={shown.to}
          min={shown.from === '' ? '1970-01-01' : shown.from}
          max={today}
          disabled={shown.from === ''}
          onChange={(event) => choose({ from: shown.from, to: event.target.value })}
        />
      </label>
    </div>
  );
}
