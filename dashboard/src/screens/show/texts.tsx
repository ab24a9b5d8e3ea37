import zoneCountries from 'virtual:zone-countries';
import { Trans, useLingui } from '@lingui/react/macro';
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
import { feedDescriptionBytes } from '../../../../server/src/lib/limits.ts';
import type { ShowSettings } from '../../api/show-settings.ts';
import { AiContentSelect } from '../../components/ai-content-select.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import fieldStyles from '../../components/field.module.css';
import menuStyles from '../../components/menu.module.css';
import { NativeSelect } from '../../components/native-select.tsx';
import { RadioGroup } from '../../components/radio-group.tsx';
import { Section } from '../../components/section.tsx';
import { TextField } from '../../components/text-field.tsx';
import { TriggerButton } from '../../components/trigger-button.tsx';
import { WebsiteField } from '../../components/website-field.tsx';
import { formatNumber } from '../../lib/format.ts';
import { locale } from '../../lib/formatters.ts';
import { createZoneNaming, currentZone, listZones, searchZones } from '../../lib/zones.ts';
import { CategoryFields } from './category-fields.tsx';
import { PlayerForm } from './player-form.tsx';
import { formFields, pageFields, type ShowFields } from './show-fields.ts';
import { ShowForm } from './show-form.tsx';
import { ShowPage } from './show-page.tsx';
import styles from './time-zone-field.module.css';

/** What listeners and directories read about a show. */
export function Texts() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Details`} needs={({ edit }) => edit}>
      {(show) => (
        <ShowForm show={show} form="details" names={names} hasBar>
          {(fields) => (
            <>
              <Section
                title={t`Name and description`}
                about={<Trans>What people see before they listen, in every app.</Trans>}
              >
                <Words show={show} fields={fields} />
              </Section>
              <Section
                title={t`Category and language`}
                about={<Trans>Directories sort shows by category and language.</Trans>}
              >
                <Kind show={show} fields={fields} />
              </Section>
              <Section
                title={t`Contact and links`}
                about={<Trans>All of this is public: it appears in the feed.</Trans>}
              >
                <Contact show={show} fields={fields} />
              </Section>
              <Section title={t`Player and pages`}>
                <PlayerForm show={show} fields={fields} />
              </Section>
              <Section title={t`Publication`}>
                <PublicationForm fields={fields} />
              </Section>
            </>
          )}
        </ShowForm>
      )}
    </ShowPage>
  );
}

/** Those that have a screen of their own, and those that only commands and imports set. */
const elsewhere: readonly string[] = [
  ...['slug', 'medium', 'other_funding', 'confirm_move', 'enclosure_prefixes'],
  ...pageFields,
];
const names = formFields.filter((name) => !elsewhere.includes(name));

interface Props {
  readonly show: ShowSettings;
  readonly fields: ShowFields;
}

function Words({ fields: { text } }: Props) {
  const { t } = useLingui();
  const most = formatNumber(feedDescriptionBytes);
  return (
    <>
      <TextField label={t`Title`} {...text('title')} isRequired />
      <TextField label={t`Subtitle`} {...text('subtitle')} />
      <TextField
        label={t`Author`}
        hint={t`The person, group or company behind the show.`}
        {...text('author')}
        isRequired
      />
      <TextField
        label={t`Description`}
        hint={t`What the show is about and who it’s for. Feeds include at most ${most} bytes of it.`}
        {...text('description')}
        rows={6}
      />
    </>
  );
}

function Kind({ show, fields }: Props) {
  const { t } = useLingui();
  return (
    <>
      <CategoryFields fields={fields} />
      <NativeSelect label={t`Language`} {...fields.text('language')}>
        <LanguageOptions current={show.language} />
      </NativeSelect>
      <RadioGroup
        label={t`Episode order`}
        value={fields.value('show_type')}
        onChange={(value) => fields.set({ show_type: value })}
        choices={[
          { value: 'episodic', label: t`Episodic: newest first` },
          { value: 'serial', label: t`Serial: oldest first` },
        ]}
      />
      <Checkbox
        isSelected={fields.value('explicit')}
        onChange={(value) => fields.set({ explicit: value })}
      >
        <Trans>Explicit: has language or topics that aren’t suitable for children</Trans>
      </Checkbox>
      <AiContentSelect
        value={fields.value('ai_content')}
        onChange={(value) => fields.set({ ai_content: value })}
        problem={fields.problem('ai_content')}
      />
    </>
  );
}

function Contact({ fields: { text } }: Props) {
  const { t } = useLingui();
  return (
    <>
      <WebsiteField label={t`Website`} {...text('website_url')} />
      <TextField label={t`Owner name`} {...text('owner_name')} />
      <TextField
        label={t`Owner email address`}
        hint={t`Spotify and others send a code there to verify that the show is yours.`}
        type="email"
        {...text('owner_email')}
      />
      <TextField
        label={t`Copyright owner`}
        hint={t`Name only, without © or year.`}
        {...text('copyright')}
      />
      <WebsiteField label={t`Page where listeners can support the show`} {...text('funding_url')} />
      <TextField label={t`Support button label`} {...text('funding_text')} />
    </>
  );
}

/** The languages of most shows, and some of their regions. */
const common = [
  ...['ar', 'bg', 'ca', 'cs', 'cy', 'da', 'de', 'de-AT', 'de-CH', 'el', 'en', 'en-AU', 'en-CA'],
  ...['en-GB', 'en-IE', 'en-IN', 'en-NZ', 'en-US', 'en-ZA', 'es', 'es-AR', 'es-MX', 'et', 'eu'],
  ...['fa', 'fi', 'fr', 'fr-CA', 'ga', 'gl', 'gu', 'he', 'hi', 'hr', 'hu', 'id', 'is', 'it', 'ja'],
  ...['ko', 'lt', 'lv', 'mr', 'ms', 'nb', 'nl', 'nl-BE', 'pa', 'pl', 'pt', 'pt-BR', 'ro', 'ru'],
  ...['sk', 'sl', 'sr', 'sv', 'sw', 'ta', 'te', 'th', 'tl', 'tr', 'uk', 'ur', 'vi', 'yue', 'zh'],
  ...['zh-CN', 'zh-HK', 'zh-TW', 'zu'],
];

/** By their names in the reader's language. */
function LanguageOptions({ current }: { readonly current: string }) {
  const names = new Intl.DisplayNames(locale(), { type: 'language' });
  const nameOf = (tag: string) => {
    try {
      return names.of(tag) ?? tag;
    } catch {
      return tag;
    }
  };
  const tags = common.includes(current) ? common : [...common, current];
  return tags
    .map((tag) => [tag, nameOf(tag)] as const)
    .sort(([, a], [, b]) => a.localeCompare(b, locale()))
    .map(([tag, name]) => (
      <option key={tag} value={tag}>
        {name}
      </option>
    ));
}

interface PublicationFormProps {
  readonly fields: ShowFields;
}

/** Settings for the feed, and the time zone in which episodes are scheduled. */
function PublicationForm({ fields }: PublicationFormProps) {
  return (
    <>
      <TimeZoneField {...fields.text('timezone')} />
      <Checkbox
        isSelected={fields.value('feed_locked')}
        onChange={(value) => fields.set({ feed_locked: value })}
      >
        <Trans>Don’t let other hosts import the show</Trans>
      </Checkbox>
      <Checkbox
        isSelected={fields.value('itunes_block')}
        onChange={(value) => fields.set({ itunes_block: value })}
      >
        <Trans>Hide the show from Apple Podcasts</Trans>
      </Checkbox>
      <Checkbox
        isSelected={fields.value('complete')}
        onChange={(value) => fields.set({ complete: value })}
      >
        <Trans>The show is complete: there will be no more episodes</Trans>
      </Checkbox>
      <Checkbox
        isSelected={fields.value('ai_training') === 'deny'}
        onChange={(value) => fields.set({ ai_training: value ? 'deny' : 'allow' })}
      >
        <Trans>Ask that the show isn’t used to train AI models</Trans>
      </Checkbox>
    </>
  );
}

interface TimeZoneFieldProps {
  readonly value: string;
  readonly onChange: (zone: string) => void;
  readonly problem?: string;
}

/** A time zone, found by a city, a country or its offset. Text that finds none changes nothing. */
function TimeZoneField({ value, onChange, problem }: TimeZoneFieldProps) {
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
        {t`Used to schedule episodes and to show dates on pages.`}
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
