import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { coverColorsQuery, type ShowSettings } from '../../api/show-settings.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { RadioGroup } from '../../components/radio-group.tsx';
import { ColorField } from './color-field.tsx';
import type { ShowFields } from './show-fields.ts';

interface Props {
  readonly show: ShowSettings;
  readonly fields: ShowFields;
}

/** How the show's own pages and players look. */
export function PlayerForm({ show, fields }: Props) {
  const { t } = useLingui();
  const { data: swatches = [] } = useQuery(coverColorsQuery(show.artwork));
  const fromCover =
    show.artwork?.color === null ? t`Chosen by itself: the cover is gray` : t`Taken from the cover`;
  const own = {
    name: show.artwork === null ? t`Taken from the cover, once there is one` : fromCover,
    color: show.own_color,
  };
  // The first one is the default.
  const others = swatches.slice(1);
  const ofPages = (color: string | null) =>
    color === null ? own : { name: t`As the pages`, color };
  return (
    <>
      <ColorField
        label={t`Color of the pages`}
        {...fields.text('brand_color')}
        own={own}
        swatches={others}
      />
      <ColorField
        label={t`Color of the player`}
        {...fields.text('player_color')}
        own={ofPages(fields.value('brand_color'))}
        swatches={fields.value('brand_color') === null ? others : swatches}
      />
      <RadioGroup
        label={t`Background of the player`}
        value={fields.value('player_theme')}
        onChange={(value) => fields.set({ player_theme: value })}
        choices={[
          { value: 'light', label: t`Light` },
          { value: 'dark', label: t`Dark` },
          { value: 'auto', label: t`As the listener prefers` },
        ]}
      />
      <Checkbox
        isSelected={fields.value('player_waveform')}
        onChange={(value) => fields.set({ player_waveform: value })}
      >
        <Trans>The player shows the waveform</Trans>
      </Checkbox>
      <Checkbox
        isSelected={show.always_powered_by || fields.value('show_powered_by')}
        isDisabled={show.always_powered_by}
        onChange={(value) => fields.set({ show_powered_by: value })}
      >
        {show.always_powered_by ? (
          <Trans>Show “Powered by Podstead”; the plan of the show requires it</Trans>
        ) : (
          <Trans>Show “Powered by Podstead”</Trans>
        )}
      </Checkbox>
    </>
  );
}
