import type {
  ElementEntry,
  ElementName,
  ElementValue,
  ElementValues,
} from '../../../../lib/fields/feed-elements.ts';
import { tryParseMoment, tryParseTimestamp } from '../../../../lib/time.ts';
import { isUuid } from '../../../../lib/uuid.ts';
import { isWebUrl, maxUrlChars } from '../../../../lib/web-url.ts';
import { wireName } from '../../../../lib/wire-names.ts';
import type { ErrorDetail, SaidMessage } from '../../../foundation/errors.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import { isRecurrenceRule } from './recurrence-rule.ts';

/**
 * What is wrong with an entry whose texts are trimmed, under the names on the wire. Schemas have checked
 * names and types, so only bounds and forms are checked here.
 */
export function checkEntry(
  name: ElementName,
  values: ElementValues,
  entry: ElementEntry,
): ErrorDetail[] {
  const details = checkValues(values, entry);
  return details.length > 0 ? details : (rules[name]?.(entry) ?? []);
}

function checkValues(values: ElementValues, entry: ElementEntry): ErrorDetail[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = wireName(name);
    const given = entry[name];
    if (isMissing(given)) {
      return value.required ? [{ field, ...sayRefusal('required') }] : [];
    }
    if (value.kind === 'elements') {
      return checkInner(value, given as readonly ElementEntry[]).map((detail) => {
        return { ...detail, field: `${field}${detail.field}` };
      });
    }
    const said = checkGiven(value, given as string | number | boolean);
    return said === undefined ? [] : [{ field, ...said }];
  });
}

function isMissing(given: ElementEntry[string] | undefined): given is undefined {
  return given === undefined || (Array.isArray(given) && given.length === 0);
}

function checkInner(
  { values, most }: { readonly values: ElementValues; readonly most: number },
  list: readonly ElementEntry[],
): ErrorDetail[] {
  if (list.length > most) return [{ field: '', ...sayRefusal('element_count', { max: most }) }];
  return list.flatMap((inner, index) =>
    checkValues(values, inner).map((detail) => {
      return { ...detail, field: `[${index}].${detail.field}` };
    }),
  );
}

function checkGiven(
  value: Exclude<ElementValue, { kind: 'elements' }>,
  given: string | number | boolean,
): SaidMessage | undefined {
  switch (value.kind) {
    case 'flag':
      return undefined;
    case 'whole':
      return checkWhole(Number(given), value);
    case 'seconds':
      return checkSeconds(Number(given), value);
    case 'choice':
      return Object.hasOwn(value.choices, String(given))
        ? undefined
        : sayRefusal('one_of', { values: Object.keys(value.choices).join(', ') });
    case 'text':
      return checkText(String(given), value);
    default: {
      const [isValid, refusal] = forms[value.kind];
      return isValid(String(given)) ? undefined : refusal;
    }
  }
}

function checkText(
  text: string,
  {
    max,
    reserved = {},
  }: { readonly max: number; readonly reserved?: Readonly<Record<string, string>> },
): SaidMessage | undefined {
  const field = Object.hasOwn(reserved, text.toLowerCase()) && reserved[text.toLowerCase()];
  if (field) return sayRefusal('field_of_its_own', { field });
  return text.length > max ? sayRefusal('max_length', { limit: max }) : undefined;
}

function checkWhole(
  number: number,
  { min, max }: { readonly min: number; readonly max: number },
): SaidMessage | undefined {
  const isWithin = Number.isInteger(number) && number >= min && number <= max;
  return isWithin ? undefined : sayRefusal('whole_number', { min, max });
}

/** Longer than any recording. */
const maxSeconds = 1_000_000;

function checkSeconds(seconds: number, { min }: { readonly min: number }): SaidMessage | undefined {
  const isExact = Math.abs(Math.round(seconds * 1000) - seconds * 1000) < 1e-6;
  const isWithin = seconds >= min && seconds <= maxSeconds;
  return isExact && isWithin ? undefined : sayRefusal('seconds', { min, max: maxSeconds });
}

type FormKind = Exclude<
  ElementValue['kind'],
  'elements' | 'flag' | 'whole' | 'seconds' | 'choice' | 'text'
>;

const matches = (form: RegExp) => (text: string) => form.test(text);

/** Texts of a form of their own, and what is said of others. */
const forms: Readonly<
  Record<FormKind, readonly [isValid: (text: string) => boolean, refusal: SaidMessage]>
> = {
  url: [isWebUrl, sayRefusal('http_address_length', { max: maxUrlChars })],
  uri: [isUri, sayRefusal('uri', { max: maxUrlChars })],
  moment: [isMoment, sayRefusal('moment')],
  expiry: [isMoment, sayRefusal('moment')],
  day: [isDayOrTime, sayRefusal('day_or_time')],
  medium: [matches(/^[a-z]{1,30}L?$/), sayRefusal('medium')],
  guid: [isUuid, sayRefusal('podcast_guid')],
  amount: [matches(/^\d{1,12}(?:\.\d{1,18})?$/), sayRefusal('amount')],
  tokens: [
    (text) => text.length <= 128 && /^[\w./-]+(?: [\w./-]+)*$/.test(text),
    sayRefusal('tokens'),
  ],
  ratio: [
    matches(/^[1-9]\d{0,4}(?:\.\d{1,4})?(?: ?\/ ?[1-9]\d{0,4}(?:\.\d{1,4})?)?$/),
    sayRefusal('ratio'),
  ],
  country: [isCountry, sayRefusal('country')],
  geo: [isGeo, sayRefusal('geo')],
  osm: [matches(/^[NWR][1-9]\d{0,18}(?:#[1-9]\d{0,9})?$/), sayRefusal('osm')],
  rrule: [isRecurrenceRule, sayRefusal('rrule')],
  'media type': [matches(/^[a-z]{1,20}\/[\w.+-]{1,100}$/i), sayRefusal('media_type')],
};

const earliestNow = new Date(0);
const latestNow = new Date('3000-01-01T00:00:00Z');

/** Seed files and commands may have a relative time, which must be valid whenever it is written. */
function isMoment(text: string): boolean {
  return [earliestNow, latestNow].every((now) => tryParseMoment(text, now) !== undefined);
}

/** Of any protocol that names something: apps would run the content of these. */
const runnable = /^(?:javascript|vbscript|data|blob):/i;

function isUri(text: string): boolean {
  const hasForm = /^[a-z][a-z0-9+.-]{0,30}:[^\s]+$/i.test(text) && !/\p{Cc}/u.test(text);
  return text.length <= maxUrlChars && hasForm && !runnable.test(text);
}

function isDayOrTime(text: string): boolean {
  return (
    tryParseTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text) !== undefined
  );
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

function isCountry(text: string): boolean {
  // ZZ is the code for an unknown country.
  return /^[A-Z]{2}$/.test(text) && text !== 'ZZ' && countries.of(text) !== undefined;
}

const geoForm =
  /^geo:(-?\d{1,2}(?:\.\d{1,15})?),(-?\d{1,3}(?:\.\d{1,15})?)(?:,-?\d{1,6}(?:\.\d{1,15})?)?(?:;crs=wgs84)?(?:;u=\d{1,9}(?:\.\d{1,15})?)?$/i;

/** RFC 5870. */
function isGeo(text: string): boolean {
  const [, latitude, longitude] = geoForm.exec(text) ?? [];
  if (latitude === undefined) return false;
  return Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180;
}

type Rule = (entry: ElementEntry) => ErrorDetail[];

/** What depends on several values. */
const rules: Partial<Record<ElementName, Rule>> = {
  license: ({ text, url }) =>
    isMissing(url) && !publicLicense.test(String(text))
      ? [{ field: 'url', ...sayRefusal('license_url') }]
      : [],
  socialInteract: ({ protocol, ...others }) => {
    const hasOthers = Object.values(others).some((other) => !isMissing(other));
    if (protocol === 'disabled') {
      return hasOthers ? [{ field: 'protocol', ...sayRefusal('comments_off') }] : [];
    }
    return isMissing(others['uri']) ? [{ field: 'uri', ...sayRefusal('required') }] : [];
  },
  updateFrequency: ({ rrule, dtstart }) =>
    /;?COUNT=/.test(String(rrule ?? '')) && isMissing(dtstart)
      ? [{ field: 'dtstart', ...sayRefusal('rrule_start') }]
      : [],
  value: ({ recipients }) => {
    const shares = recipients as readonly ElementEntry[];
    const isPaid = shares.some(({ fee, split }) => fee !== true && Number(split) > 0);
    return isPaid ? [] : [{ field: 'recipients', ...sayRefusal('payment_shares') }];
  },
  image: ({ purpose }) =>
    String(purpose).toLowerCase() === 'artwork'
      ? [{ field: 'purpose', ...sayRefusal('artwork_picture') }]
      : [],
};

/** Licenses that apps know by their identifiers. */
const publicLicense =
  /^(?:arr|cc0-1\.0|cc-by(?:-nc)?(?:-(?:nd|sa))?-[1-4]\.\d|pddl-1\.0|odc-by-1\.0|pod-v4v-1\.0)$/i;
