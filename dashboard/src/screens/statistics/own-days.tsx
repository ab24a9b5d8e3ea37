import { Trans } from '@lingui/react/macro';
import { useId, useState } from 'react';
import type { AnalyticsMeta, Range } from '../../api/analytics.ts';
import styles from './controls.module.css';
import { problemOfDays, type StatisticsSearch, utcToday } from './search.ts';

/** The days of the figures. */
export type UsedDays = Pick<AnalyticsMeta['range'], 'from' | 'to'>;

interface Days {
  readonly from: string;
  readonly to: string;
}

interface Typed {
  /** The range that was shown. */
  readonly over: string;
  readonly days: Partial<Days>;
}

interface Props {
  readonly range: Range;
  /** Undefined while the figures load. */
  readonly used: UsedDays | undefined;
  readonly change: (changes: StatisticsSearch) => unknown;
}

const firstDay = '1970-01-01';

/**
 * The days of the range. Days that are no range stay as they are typed, without effect: a last day
 * before the first, or the year 20 on the way to 2026.
 */
export function OwnDays({ range, used, change }: Props) {
  const problemId = useId();
  const { preset, from, to } = range;
  const over = [preset, from, to].join();
  const [last, setLast] = useState<Typed>({ over, days: {} });
  // What was typed over another range is gone: the person chose a preset, or went back.
  const typed = last.over === over ? last.days : {};
  const given: Days = { from: from ?? used?.from ?? '', to: to ?? used?.to ?? '' };
  const shown = { ...given, ...typed };
  const problem = problemOfDays(shown, firstDay, utcToday());

  function type(days: Partial<Days>) {
    setLast({ over, days: { ...typed, ...days } });
    const next = { ...shown, ...days };
    const isWhole = next.from !== '' && (next.to !== '' || given.to === '');
    if (!isWhole || problemOfDays(next, firstDay, utcToday()) !== undefined) return;
    // A range without a last day goes on until today.
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
        <input {...field('from', firstDay)} />
      </label>
      <label>
        <Trans>To</Trans>
        <input
          {...field('to', shown.from === '' ? firstDay : shown.from)}
          disabled={given.from === ''}
        />
      </label>
      <p id={problemId} role="status" className={styles['problem']}>
        {problem === 'order' && <Trans>The last day is before the first.</Trans>}
        {problem === 'bounds' && <Trans>Choose days from 1970 until today.</Trans>}
      </p>
    </div>
  );
}
