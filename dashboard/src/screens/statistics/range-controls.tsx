import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/select.tsx';
import { type Preset, presets, type StatisticsSearch, utcToday } from './search.ts';
import styles from './statistics.module.css';
import { useStatisticsSearch } from './use-statistics-search.ts';

/** Which days, and how long each point of a chart is. */
export function RangeControls() {
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
      <OwnDays from={range.from} to={range.to} change={change} />
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
  readonly change: (changes: StatisticsSearch) => unknown;
}

/** A custom range. If the browser cannot read a day, the old one stays. */
function OwnDays({ from = '', to = '', change }: DaysProps) {
  const today = utcToday();
  const choose = (days: { readonly from: string; readonly to: string }) => {
    if (days.from === '') return;
    const last = days.to === '' || days.to < days.from ? undefined : days.to;
    change({ preset: undefined, from: days.from, to: last, interval: undefined });
  };
  return (
    <div className={styles['days']}>
      <label>
        <Trans>From</Trans>
        <input
          type="date"
          value={from}
          min="1970-01-01"
          max={today}
          onChange={(event) => choose({ from: event.target.value, to })}
        />
      </label>
      <label>
        <Trans>To</Trans>
        <input
          type="date"
          value={to}
          min={from === '' ? '1970-01-01' : from}
          max={today}
          disabled={from === ''}
          onChange={(event) => choose({ from, to: event.target.value })}
        />
      </label>
    </div>
  );
}
