import { Trans, useLingui } from '@lingui/react/macro';
import type { ShowSettings } from '../../api/show-settings.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { RadioGroup } from '../../components/radio-group.tsx';
import { ColorField, useCoverColors } from './color-field.tsx';
import type { ShowFields } from './show-fields.ts';

interface Props {
  readonly show: ShowSettings;
  readonly fields: ShowFields;
}

/** How the show's own players look, and what its pages say of Podstead. */
export function PlayerForm({ show, fields }: Props) {
  const { t } = useLingui();
  const { own, swatches } = useCoverColors(show);
  const pageColor = fields.value('brand_color');
  return (
    <>
      <ColorField
        label={t`Player color`}
        {...fields.text('player_color')}
        own={pageColor === null ? own : { name: t`Same as the pages`, color: pageColor }}
        // The first one is the default.
        swatches={pageColor === null ? swatches.slice(1) : swatches}
      />
      <RadioGroup
        label={t`Player background`}
        value={fields.value('player_theme')}
        onChange={(value) => fields.set({ player_theme: value })}
        choices={[
          { value: 'light', label: t`Light` },
          { value: 'dark', label: t`Dark` },
          { value: 'auto', label: t`Listener’s preference` },
        ]}
      />
      <Checkbox
        isSelected={fields.value('player_waveform')}
        onChange={(value) => fields.set({ player_waveform: value })}
      >
        <Trans>Show the waveform in the player</Trans>
      </Checkbox>
      <Checkbox
        isSelected={show.always_powered_by || fields.value('show_powered_by')}
        isDisabled={show.always_powered_by}
        onChange={(value) => fields.set({ show_powered_by: value })}
      >
        {show.always_powered_by ? (
          <Trans>Show “Powered by Podstead” (required by the show’s plan)</Trans>
        ) : (
          <Trans>Show “Powered by Podstead”</Trans>
        )}
      </Checkbox>
    </>
  );
}
