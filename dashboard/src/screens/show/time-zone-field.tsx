import zoneCountries from 'virtual:zone-countries';
import { useLingui } from '@lingui/react/macro';
import { ChevronDown } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { ComboBox } from 'react-aria-components/ComboBox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import fieldStyles from '../../components/field.module.css';
import menuStyles from '../../components/menu.module.css';
import { TriggerButton } from '../../components/trigger-button.tsx';
import { locale } from '../../lib/formatters.ts';
import { createZoneNaming, currentZone, listZones, searchZones } from '../../lib/zones.ts';
import styles from './time-zone-field.module.css';

interface Props {
  readonly value: string;
  readonly onChange: (zone: string) => void;
  readonly problem?: string;
}

/** A time zone, found by a city, a country or its offset. Text that finds none changes nothing. */
export function TimeZoneField({ value, onChange, problem }: Props) {
  const { t } = useLingui();
  const chosen = currentZone(value);
  // Naming all of them would delay the whole screen.
  const [isUsed, setUsed] = useState(false);
  useScrollOfPerson(isUsed);
  const [layer, setLayer] = useState<HTMLElement | null>(null);
  const language = locale();
  const zones = useMemo(() => {
    const nameZone = createZoneNaming({ countries: zoneCountries, language });
    return (isUsed ? listZones(chosen) : [chosen]).map(nameZone);
  }, [isUsed, chosen, language]);
  const chosenLabel = zones.find(({ id }) => id === chosen)?.label;
  const search = useMemo(
    () =>
      rememberLast((text) => {
        return new Set(searchZones(zones, text).map(({ label }) => label));
      }),
    [zones],
  );
  return (
    <ComboBox
      className={fieldStyles['field'] ?? ''}
      defaultItems={zones}
      defaultFilter={(label, text) => search(text).has(label)}
      allowsEmptyCollection
      selectedKey={chosen}
      // An emptied field means no zone yet; it shows the chosen one again when it is left.
      onSelectionChange={(zone) => zone !== null && zone !== chosen && onChange(String(zone))}
      onFocus={() => setUsed(true)}
      isInvalid={problem !== undefined}
    >
      <Label className={fieldStyles['label'] ?? ''}>{t`Time zone`}</Label>
      <div className={styles['row']}>
        <Input
          className={`${fieldStyles['input']} ${styles['input']}`}
          // React Aria focuses it anew when the list opens, while the person types.
          onFocus={({ currentTarget: input }) => input.value === chosenLabel && input.select()}
        />
        <TriggerButton kind="quiet" size="icon">
          <ChevronDown size={18} aria-hidden="true" />
        </TriggerButton>
      </div>
      <Text slot="description" className={fieldStyles['hint'] ?? ''}>
        {t`Episodes are scheduled, and dated on pages, by its clock.`}
      </Text>
      <FieldError className={fieldStyles['problem'] ?? ''}>{problem}</FieldError>
      <div ref={setLayer} className={styles['layer']} />
      <Popover
        className={`${menuStyles['popover']} ${styles['popover']}`}
        {...(layer !== null && { UNSTABLE_portalContainer: layer })}
      >
        <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowHeight: 40, padding: 5 }}>
          <ListBox
            className={styles['list'] ?? ''}
            renderEmptyState={() => (
              <p className={styles['empty']}>
                {t`No time zone found. Try a large city, a country, or “UTC+1”.`}
              </p>
            )}
          >
            {({ id, label, country }: (typeof zones)[number]) => (
              <ListBoxItem
                id={id}
                textValue={label}
                className={`${menuStyles['item']} ${styles['zone']}`}
              >
                <span>{label}</span>
                <span className="meta">{country}</span>
              </ListBoxItem>
            )}
          </ListBox>
        </Virtualizer>
      </Popover>
    </ComboBox>
  );
}

/**
 * A list closes when the page scrolls. But browsers scroll, too, to show a field that gets the focus or
 * a letter: only what the person scrolls closes it.
 */
function useScrollOfPerson(isUsed: boolean): void {
  useEffect(() => {
    if (!isUsed) return;
    let scrolledAt = Number.NEGATIVE_INFINITY;
    const note = () => {
      scrolledAt = performance.now();
    };
    const ignore = (event: Event) => {
      if (performance.now() - scrolledAt > gestureMs) event.stopImmediatePropagation();
    };
    const listening = new AbortController();
    const options = { capture: true, passive: true, signal: listening.signal };
    for (const gesture of ['wheel', 'touchmove']) window.addEventListener(gesture, note, options);
    // Ahead of the listener of React Aria, which comes with the list.
    window.addEventListener('scroll', ignore, options);
    return () => listening.abort();
  }, [isUsed]);
}

/** The scrolling that follows a touch or a turn of the wheel. */
const gestureMs = 1_000;

/** Every item of the list asks for the same text. */
function rememberLast<T>(find: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly found: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, found: find(text) };
    return last.found;
  };
}
