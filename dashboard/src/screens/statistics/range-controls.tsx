import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/select.tsx';
import { formatUnits } from '../../lib/format.ts';
import styles from './controls.module.css';
import { OwnDays, type UsedDays } from './own-days.tsx';
import { type Preset, presets } from './search.ts';
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
