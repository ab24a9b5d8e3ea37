import { Trans } from '@lingui/react/macro';
import { Checkbox } from '../../components/checkbox.tsx';
import type { ShowFields } from './show-fields.ts';
import { TimeZoneField } from './time-zone-field.tsx';

interface Props {
  readonly fields: ShowFields;
}

/** Settings for the feed, and the time zone in which episodes are scheduled. */
export function PublicationForm({ fields }: Props) {
  return (
    <>
      <TimeZoneField {...fields.text('timezone')} />
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
