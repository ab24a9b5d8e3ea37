import { Trans, useLingui } from '@lingui/react/macro';
import type { ShowSettings } from '../../api/show-settings.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { NativeSelect } from '../../components/native-select.tsx';
import { ShowForm } from './show-form.tsx';

const zones = Intl.supportedValuesOf('timeZone');

/** Settings for the feed, and the time zone in which episodes are scheduled. */
export function PublicationForm({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const all = zones.includes(show.timezone) ? zones : [show.timezone, ...zones];
  return (
    <ShowForm
      show={show}
      form="publication"
      names={['timezone', 'feed_locked', 'itunes_block', 'complete']}
    >
      {(fields) => (
        <>
          <NativeSelect
            label={t`Time zone`}
            hint={t`Episodes are scheduled by its clock.`}
            {...fields.text('timezone')}
          >
            {all.map((zone) => (
              <option key={zone} value={zone}>
                {zone.replaceAll('_', ' ')}
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
      )}
    </ShowForm>
  );
}
