import { createHash } from 'node:crypto';
import { Ajv } from 'ajv';
import Type, { type Static } from 'typebox';
import { isJsonDeeperThan } from '../../../lib/json-depth.ts';
import { tryParseJson } from '../../../lib/parse-json.ts';
import { BackupRefusedError, DamagedBackupError } from './backup-errors.ts';

/** The version of the format that docs/backups.md describes. A newer one is refused. */
export const formatVersion = 1;

/** A list of tables with lists of parts. */
const deepestManifest = 5;

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const nameForm = /^[0-9]{8}-[0-9]{9}-[0-9a-f]{32}$/;
const Name = Type.String({ pattern: '^[a-z0-9_.-]{1,100}$' });

const Part = Type.Object({
  sha256: Sha256,
  /** Of the stored, compressed file. */
  bytes: Whole,
  rows: Whole,
});

const Table = Type.Object({
  name: Name,
  columns: Type.Array(Name, { minItems: 1, maxItems: 200 }),
  rows: Whole,
  /** `RowDigest` of all rows. */
  digest: Sha256,
  parts: Type.Array(Part),
});

const Manifest = Type.Object({
  format: Type.Literal('podstead-backup'),
  format_version: Type.Literal(formatVersion),
  /** Of Podstead. */
  release: Type.String({ maxLength: 100 }),
  created_at: Type.String({
    pattern: '^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}[.][0-9]{3}Z$',
  }),
  base_url: Type.String({ maxLength: 2_000 }),
  /** When its database was set up: installations with the same BASE_URL have other ones. */
  database_since: Type.Optional(Type.String({ maxLength: 100 })),
  /** The backup that was restored into it. */
  restored_from: Type.Optional(Type.String({ pattern: nameForm.source })),
  /** Shows whether an installation has the same SECRET. */
  secret_check: Type.Optional(Sha256),
  /** Those that the database had, in order. */
  migrations: Type.Array(Type.Object({ name: Name, sha256: Sha256 }), { minItems: 1 }),
  tables: Type.Array(Table),
  /** The list of all files: their parts, and what they add up to. */
  files: Type.Object({ count: Whole, bytes: Whole, parts: Type.Array(Part) }),
});

/** A gzip file of lines, each with an array in JSON. */
export type Part = Static<typeof Part>;
export type BackedUpTable = Static<typeof Table>;
/** What a snapshot consists of. It is written last, so an interrupted backup has none. */
export type Manifest = Static<typeof Manifest>;

const isManifest = new Ajv({ strict: true }).compile<Manifest>(Manifest);

export function writeManifest(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest)}\n`);
}

/** `20261127-031500123-` and the beginning of the manifest's hash: a changed manifest has another name. */
export function nameOfSnapshot(createdAt: string, manifest: Buffer): string {
  const hash = createHash('sha256').update(manifest).digest('hex').slice(0, 32);
  return `${beginningOfName(createdAt)}-${hash}`;
}

/** Names of later snapshots are behind it, in the order of texts. `createdAt`: ISO 8601, in UTC. */
export function beginningOfName(createdAt: string): string {
  const [, day = '', time = ''] = /^([0-9-]+)T([0-9:.]+)/.exec(createdAt) ?? [];
  return `${day.replaceAll('-', '')}-${time.replaceAll(/[:.]/g, '')}`;
}

export const isSnapshotName = (text: string) => nameForm.test(text);

/**
 * Throws DamagedBackupError if the text is not what was written under this name, and BackupRefusedError
 * for a newer format.
 */
export function readManifest(name: string, bytes: Buffer): Manifest {
  const text = bytes.toString();
  const value = isJsonDeeperThan(text, deepestManifest) ? undefined : tryParseJson(text);
  if (isOfNewerFormat(value))
    throw new BackupRefusedError(
      `The backup ${name} was made by a newer version of Podstead. Install that version to use it.`,
    );
  if (!isManifest(value))
    throw new DamagedBackupError(`the backup ${name} has no readable manifest`);
  if (nameOfSnapshot(value.created_at, bytes) !== name)
    throw new DamagedBackupError(`the manifest of ${name} was changed`);
  return value;
}

function isOfNewerFormat(value: unknown): boolean {
  const { format, format_version: version } = Object(value) as Partial<Record<string, unknown>>;
  return format === 'podstead-backup' && typeof version === 'number' && version > formatVersion;
}
