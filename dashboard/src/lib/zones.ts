import { formatOffset, isKnownZone, offsetMinutes } from './time-zone.ts';

/** Browsers list zones by the names that they had first; these have others now. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The name that a zone has now, if the browser knows it. */
export function currentZone(zone: string): string {
  const name = renamed[zone];
  return name !== undefined && isKnownZone(name) ? name : zone;
}

/** A zone's first name → the codes of its countries, most often one: `{ 'Asia/Calcutta': ['IN'] }`. */
export type ZoneCountries = Readonly<Record<string, readonly string[]>>;

export interface NamedZone {
  readonly id: string;
  /** `Europe/Kyiv · UTC+2`, as it is now. */
  readonly label: string;
  /** In the reader's language; an empty string for UTC. */
  readonly country: string;
  /** `UTC+2` */
  readonly offset: string;
  /** All its names, old ones and those of its country among them, as `wordsOf` has them. */
  readonly words: readonly string[];
}

/** Every zone by its current name, and `also`. */
export function listZones(also: string): readonly string[] {
  const all = ['UTC', also, ...Intl.supportedValuesOf('timeZone')];
  return [...new Set(all.map(currentZone))].sort();
}

interface NamingOptions {
  readonly countries: ZoneCountries;
  readonly language: string;
  readonly now?: Date;
}

/** Names zones, which takes a tenth of a millisecond for each. */
export function createZoneNaming(options: NamingOptions): (id: string) => NamedZone {
  const { countries, language, now = new Date() } = options;
  const nameCountry = createCountryNaming(language);
  return (id) => {
    const isKnown = isKnownZone(id);
    const offset = isKnown ? formatOffset(offsetMinutes(now, id)) : '';
    const name = id.replaceAll('_', ' ');
    const names = [id, ...Object.keys(renamed).filter((old) => renamed[old] === id)];
    const codes = [...new Set(names.flatMap((each) => countries[each] ?? []))];
    const clocks = isKnown ? nameClocks(id, language, now) : [];
    return {
      id,
      label: offset === '' || offset === name ? name : `${name} · ${offset}`,
      country: codes.map((code) => nameCountry(code)[0]).join(', '),
      offset,
      words: [...names, ...codes.flatMap(nameCountry), ...clocks].flatMap(wordsOf),
    };
  };
}

/**
 * The zones that somebody may mean: by a place, a country, or how far they are ahead (`utc+1`, `GMT`).
 * Where whole words are found, those that only begin so are left out: `India` is not `Indiana`.
 */
export function searchZones(zones: readonly NamedZone[], text: string): readonly NamedZone[] {
  const offset = readOffset(text);
  if (offset !== undefined) return zones.filter((zone) => offset(zone.offset));
  const words = wordsOf(text);
  const found = zones.filter((zone) =>
    words.every((word) => zone.words.some((one) => one.startsWith(word))),
  );
  const whole = found.filter((zone) => words.every((word) => zone.words.includes(word)));
  return whole.length > 0 ? whole : found;
}

/** Whether an offset such as `UTC+5:30` is meant by the text; undefined for other texts. */
function readOffset(text: string): ((offset: string) => boolean) | undefined {
  const [, name, sign, hours, minutes] =
    /^(UTC|GMT)?(?:([+\-−])(\d{0,2}):?(\d{0,2}))?$/i.exec(text.replaceAll(/\s/g, '')) ?? [];
  if (sign === undefined) return name === undefined ? undefined : (offset) => offset === 'UTC';
  const ahead = `UTC${sign === '+' ? '+' : '-'}`;
  if (hours === '' || hours === undefined) return (offset) => offset.startsWith(ahead);
  // While `:3` is typed, `:30` is meant.
  const size = Number(hours) * 60 + Number((minutes ?? '').padEnd(2, '0'));
  const wanted = formatOffset(sign === '+' ? size : -size);
  return (offset) => offset === wanted;
}

/** In lower case, without accents: `São_Paulo` → `sao`, `paulo`. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/** `Central European Time`, `Germany Time`: in some languages, the second one names the city. */
function nameClocks(timeZone: string, language: string, now: Date): string[] {
  return (['longGeneric', 'shortGeneric'] as const).flatMap((timeZoneName) =>
    new Intl.DateTimeFormat(language, { timeZone, timeZoneName })
      .formatToParts(now)
      .filter(({ type }) => type === 'timeZoneName')
      .map(({ value }) => value),
  );
}

/** Of a country's code: its name in the language first, then others by which it is found. */
function createCountryNaming(language: string): (code: string) => string[] {
  const styles = [
    new Intl.DisplayNames(language, { type: 'region' }),
    new Intl.DisplayNames('en', { type: 'region' }),
    new Intl.DisplayNames('en', { type: 'region', style: 'short' }),
  ];
  return (code) => styles.map((names) => names.of(code) ?? code);
}
