import pg from 'pg';

type Parse = (text: string) => unknown;

const oid = {
  int8: 20,
  int8Array: 1016,
  textArray: 1009,
  date: 1082,
  dateArray: 1182,
  numeric: 1700,
  numericArray: 1231,
} as const;

// pg's types only cover the simple types.
const parserOf = pg.types.getTypeParser as (id: number, format?: 'text' | 'binary') => Parse;
const parseTextArray = parserOf(oid.textArray, 'text');

// Other types are pg's defaults: timestamptz is a Date, json and jsonb are parsed.
const overrides = new Map<number, Parse>([
  [oid.int8, parseInt8],
  [oid.int8Array, (text) => mapNested(parseTextArray(text), parseInt8)],
  [oid.numeric, Number],
  [oid.numericArray, (text) => mapNested(parseTextArray(text), Number)],
  [oid.date, (text) => text],
  [oid.dateArray, parseTextArray],
]);

/**
 * Column types of this codebase: int8 and numeric are numbers, a date is 'YYYY-MM-DD'. Set for one
 * pool; pg's global table does not change.
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

function mapNested(value: unknown, parse: Parse): unknown {
  if (Array.isArray(value)) return value.map((item) => mapNested(item, parse));
  return typeof value === 'string' ? parse(value) : value;
}
