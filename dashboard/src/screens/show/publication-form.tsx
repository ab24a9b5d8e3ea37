import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { ShowSettings } from '../../api/show-settings.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { NativeSelect } from '../../components/native-select.tsx';
import { listZones } from '../../lib/zones.ts';
import type { ShowFields } from './show-form.tsx';

interface Props {
  readonly show: ShowSettings;
  readonly fields: ShowFields;
}

/** Settings for the feed, and the time zone in which episodes are scheduled. */
export function PublicationForm({ show, fields }: Props) {
  const { t } = useLingui();
  const { timezone: saved } = show;
  const zones = useMemo(() => listZones(saved), [saved]);
  return (
    <>
      <NativeSelect
        label={t`Time zone`}
        hint={t`Episodes are scheduled, and dated on pages, by its clock.`}
        {...fields.text('timezone')}
      >
        {zones.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </NativeSelect>
      <Checkbox
        isSelected={fields.value('feed_locked')}
        onChange={(value) => fields.set({ feed_locked: value })}
      >
        <Trans>Other hosts may not import the show</Trans>
      </Checkbox>
      <Checkbox
        isSelected={fields.value('itunes_block')}
        onChange={(value) => fields.set({ itunes_block: value })}
      >
        <Trans>Apple Podcasts does not list the show</Trans>
      </Checkbox>
      <Checkbox
        isSelected={fields.value('complete')}
        onChange={(value) => fields.set({ complete: value })}
      >
        <Trans>The show is complete: no further episodes will come</Trans>
      </Checkbox>
    </>
  );
}
