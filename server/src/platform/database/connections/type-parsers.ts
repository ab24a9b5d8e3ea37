import pg from 'pg';

type Parse = (text: string) => unknown;

const oid = {
  int8: 20,
  int8Array: 1016,
  textArray: 1009,
  date: 1082,
  dateArray: 1182,
  timestamptz: 1184,
  numeric: 1700,
  numericArray: 1231,
} as const;

// pg's types only cover the simple types.
const parserOf = pg.types.getTypeParser as (id: number, format?: 'text' | 'binary') => Parse;
const parseTextArray = parserOf(oid.textArray, 'text');

// Other types are pg's defaults: json and jsonb are parsed.
const overrides = new Map<number, Parse>([
  [oid.int8, parseInt8],
  [oid.int8Array, (text) => mapNested(parseTextArray(text), parseInt8)],
  [oid.numeric, Number],
  [oid.numericArray, (text) => mapNested(parseTextArray(text), Number)],
  [oid.date, (text) => text],
  [oid.timestamptz, parseTimestamp],
  [oid.dateArray, parseTextArray],
]);

/**
 * Column types of this codebase: int8 and numeric are numbers, a date is 'YYYY-MM-DD', timestamptz is a
 * Date. Set for one pool; pg's global table does not change.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : overrides.get(id)) ??
    parserOf(id, format)) as pg.CustomTypesConfig['getTypeParser'],
};

function parseInt8(text: string): number {
  const value = Number(text);
  // Rounding would silently return a wrong number.
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 out of safe range: ${text}`);
  return value;
}

const parseByPg = parserOf(oid.timestamptz, 'text');

/**
 * Reads 'YYYY-MM-DD HH:MM:SS[.ffffff]+00', as every session writes it; pg's own parser, with regular
 * expressions, took 6 % of the time of a keyed request. All else, such as infinity, is for that one.
 */
function parseTimestamp(text: string): unknown {
  const zoneAt = text.length - 3;
  const isUsual =
    zoneAt >= 19 && text[4] === '-' && text[10] === ' ' && text[0] !== '0' && text.endsWith('+00');
  if (!isUsual) return parseByPg(text);
  let ms = 0;
  for (let at = 20, unit = 100; at < zoneAt && unit >= 1; at += 1, unit /= 10) {
    ms += (text.charCodeAt(at) - zero) * unit;
  }
  return new Date(
    Date.UTC(
      twoDigits(text, 0) * 100 + twoDigits(text, 2),
      twoDigits(text, 5) - 1,
      twoDigits(text, 8),
      twoDigits(text, 11),
      twoDigits(text, 14),
      twoDigits(text, 17),
      ms,
    ),
  );
}

const zero = 48;
const twoDigits = (text: string, at: number) =>
  (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero;

function mapNested(value: unknown, parse: Parse): unknown {
  if (Array.isArray(value)) return value.map((item) => mapNested(item, parse));
  return typeof value === 'string' ? parse(value) : value;
}
