import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { firstStatisticsDay } from '../../../../server/src/lib/limits.ts';
import type { AnalyticsMeta, Range } from '../../api/analytics.ts';
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/select.tsx';
import { formatUnits } from '../../lib/format.ts';
import styles from './controls.module.css';
import { type Preset, presets, problemOfDays, type StatisticsSearch, utcToday } from './search.ts';
import { useStatisticsSearch } from './use-statistics-search.ts';

/** Which days, and how long each point of a chart is. */
export function RangeControls({ used }: { readonly used: UsedDays | undefined }) {
  const { t } = useLingui();
  const { range, interval, change } = useStatisticsSearch();
  const names: Readonly<Record<Preset, string>> = {
    '7d': formatUnits(7, 'day'),
    '30d': formatUnits(30, 'day'),
    '90d': formatUnits(90, 'day'),
    '12m': formatUnits(12, 'month'),
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
      <OwnDays range={range} used={used} change={change} />
      <Select
        label={t`Group by`}
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

/** The days of the figures. */
type UsedDays = Pick<AnalyticsMeta['range'], 'from' | 'to'>;

interface Days {
  readonly from: string;
  readonly to: string;
}

interface Typed {
  /** The range that was shown. */
  readonly over: string;
  readonly days: Partial<Days>;
}

interface OwnDaysProps {
  readonly range: Range;
  /** Undefined while the figures load. */
  readonly used: UsedDays | undefined;
  readonly change: (changes: StatisticsSearch) => unknown;
}

/**
 * The days of the range. Days that are not a range stay as they are typed, without effect: a last day
 * before the first, or the year 20 on the way to 2026.
 */
function OwnDays({ range, used, change }: OwnDaysProps) {
  const problemId = useId();
  const { preset, from, to } = range;
  const over = [preset, from, to].join();
  const [last, setLast] = useState<Typed>({ over, days: {} });
  // What was typed over another range is gone: the person chose a preset, or went back.
  const typed = last.over === over ? last.days : {};
  const given: Days = { from: from ?? used?.from ?? '', to: to ?? used?.to ?? '' };
  const shown = { ...given, ...typed };
  const problem = problemOfDays(shown, firstStatisticsDay, utcToday());

  function type(days: Partial<Days>) {
    setLast({ over, days: { ...typed, ...days } });
    const next = { ...shown, ...days };
    const isWhole = next.from !== '' && (next.to !== '' || given.to === '');
    if (!isWhole || problemOfDays(next, firstStatisticsDay, utcToday()) !== undefined) return;
    // A range without a last day continues until today.
    const until = next.to === given.to ? to : next.to;
    change({ preset: undefined, from: next.from, to: until, interval: undefined });
  }
  const field = (name: keyof Days, least: string) => ({
    type: 'date',
    value: shown[name],
    min: least,
    max: utcToday(),
    'aria-invalid': problem !== undefined,
    'aria-describedby': problemId,
    onChange: (event: { target: HTMLInputElement }) => type({ [name]: event.target.value }),
    onBlur() {
      // The day was not typed to its end.
      if (shown[name] === '') setLast({ over, days: { ...typed, [name]: given[name] } });
    },
  });
  return (
    <div className={styles['days']}>
      <label>
        <Trans>From</Trans>
        <input {...field('from', firstStatisticsDay)} />
      </label>
      <label>
        <Trans>To</Trans>
        <input
          {...field('to', shown.from === '' ? firstStatisticsDay : shown.from)}
          disabled={given.from === ''}
        />
      </label>
      <p id={problemId} role="status" className={styles['problem']}>
        {problem === 'order' && <Trans>The last day is before the first day.</Trans>}
        {problem === 'bounds' && <Trans>Choose days from 1970 to today.</Trans>}
      </p>
    </div>
  );
}
