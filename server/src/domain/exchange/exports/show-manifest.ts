import { Ajv } from 'ajv';
import Type, { type Static } from 'typebox';
import { isJsonDeeperThan } from '../../../lib/json-depth.ts';
import { tryParseJson } from '../../../lib/parse-json.ts';
import { showTables } from './show-tables.ts';

/** The version of the format that docs/moving.md describes. */
const formatVersion = 1;
/** A list of tables with lists of columns. */
const deepestManifest = 4;
export const manifestName = 'manifest.json';
export const rowsPath = (table: string) => `rows/${table}.ndjson`;

const Whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });

const Table = Type.Object({
  name: Type.Enum(Object.keys(showTables), { type: 'string' }),
  columns: Type.Array(Type.String({ pattern: '^[a-z0-9_]{1,63}$' }), {
    minItems: 1,
    maxItems: 200,
    uniqueItems: true,
  }),
  rows: Whole,
  /** `RowDigest` of all rows. */
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

const ShowManifest = Type.Object({
  format: Type.Literal('podstead-show'),
  format_version: Type.Literal(formatVersion),
  /** Of Podstead. */
  release: Type.String({ maxLength: 100 }),
  exported_at: Type.String({ maxLength: 100 }),
  base_url: Type.String({ maxLength: 2_000 }),
  podcast_id: Uuid,
  slug: Type.String({ maxLength: 100 }),
  /** Whether the audio that is stored is in the export. */
  audio: Type.Boolean(),
  /** Of all time. */
  downloads: Whole,
  tables: Type.Array(Table, { maxItems: 100 }),
});

export type ExportedTable = Static<typeof Table>;
/** What the export of a show consists of. It is written last, so an interrupted one has none. */
export type ShowManifest = Static<typeof ShowManifest>;

const isManifest = new Ajv({ strict: true }).compile<ShowManifest>(ShowManifest);

export function newManifest(facts: Omit<ShowManifest, 'format' | 'format_version'>): ShowManifest {
  return { format: 'podstead-show', format_version: formatVersion, ...facts };
}

/** `newer`: of a later format. Undefined: not a manifest. */
export function tryReadManifest(text: string): ShowManifest | 'newer' | undefined {
  if (isJsonDeeperThan(text, deepestManifest)) return undefined;
  const value = tryParseJson(text);
  const { format, format_version: version } = Object(value) as Partial<Record<string, unknown>>;
  if (format === 'podstead-show' && typeof version === 'number' && version > formatVersion)
    return 'newer';
  return isManifest(value) ? value : undefined;
}
