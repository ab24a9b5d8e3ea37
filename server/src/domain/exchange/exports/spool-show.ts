import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { carriesCredential } from '../../../lib/credential.ts';
import { lineBatches } from '../../../lib/line-batches.ts';
import { RowDigest } from '../../../lib/row-digest.ts';
import type { BlobStore } from '../../../platform/blob-store/blob-store.ts';
import type { DatabaseSnapshot } from '../../../platform/database/snapshot.ts';
import {
  type RowLine,
  readTableRows,
  selectColumns,
} from '../../../platform/database/table-rows.ts';
import type { Context } from '../../foundation/context.ts';
import type { Db, Tables } from '../../foundation/database.ts';
import { filesOfShow, sumDownloadsOf } from './exported-episodes.sql.ts';
import type { ExportedTable } from './show-manifest.ts';
import { exportedColumns, rowsOfShow } from './show-rows.sql.ts';
import { ruleOf, showTables } from './show-tables.ts';

/** No migration changes these tables while the snapshot is read. */
export type OpenSnapshot = (tables: readonly string[]) => Promise<DatabaseSnapshot<Tables>>;

/** A file of the show: where an export has it, and its key in the file store. */
export interface ShowFile {
  readonly path: string;
  readonly key: string;
  readonly sizeBytes: number;
}

/** The rows of a show as they were at one moment, in temporary files. */
export interface SpooledShow extends AsyncDisposable {
  readonly at: Date;
  readonly tables: readonly ExportedTable[];
  readonly downloads: number;
  read(table: string): Readable;
  /** Audio and pictures, in batches. */
  files(): AsyncGenerator<readonly ShowFile[]>;
}

const usualRowsAtOnce = 2_000;
const filesName = 'files';
const longestFileLine = 10_000;

interface SpoolOptions {
  /** Addresses of other hosts with a secret, too. */
  readonly withCredentials: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes what has to be from one moment into temporary files, so the snapshot ends before a slow client
 * has read them. They have no names any more then: a client may read audio for days before it reads the rows,
 * and scratch files that are a day old are removed.
 */
export async function spoolShow(
  { blobs }: Pick<Context, 'blobs'>,
  podcastId: string,
  openSnapshot: OpenSnapshot,
  { withCredentials, signal }: SpoolOptions,
): Promise<SpooledShow> {
  await using opened = new AsyncDisposableStack();
  const folder = join(blobs.scratchDir, `export-${randomUUID()}`);
  await mkdir(folder, { mode: 0o700 });
  await using unnamed = new AsyncDisposableStack();
  unnamed.defer(() => rm(folder, { recursive: true, force: true }));
  await using snapshot = await openSnapshot(Object.keys(showTables));
  const db = snapshot.query;
  const tables: ExportedTable[] = [];
  const handles = new Map<string, FileHandle>();
  for (const name of Object.keys(showTables)) {
    const columns = await selectColumns(db, name);
    const all = readShowRows(db, name, columns, podcastId);
    const rows = withCredentials ? all : hideCredentials(all, name, columns);
    const path = join(folder, name);
    tables.push({ name, columns, ...(await spool(blobs, path, rows, signal)) });
    handles.set(name, opened.use(await open(path)));
  }
  const downloads = await sumDownloadsOf(db, podcastId);
  const columns = ['path', 'key', 'size_bytes'];
  const files = readTableRows(db, filesOfShow(podcastId), columns, usualRowsAtOnce);
  const path = join(folder, filesName);
  await spool(blobs, path, files, signal);
  const list = opened.use(await open(path));
  const resources = opened.move();
  return {
    at: snapshot.at,
    tables,
    downloads,
    read(table) {
      const handle = handles.get(table);
      if (handle === undefined) throw new Error(`${table} is not part of exports`);
      return readAll(handle);
    },
    files: () => readFiles(readAll(list)),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** What an export has of a table, in batches. The transaction must be open. */
export function readShowRows(
  db: Db,
  table: string,
  columns: readonly string[],
  podcastId: string,
): AsyncGenerator<readonly RowLine[]> {
  const { rowsAtOnce = usualRowsAtOnce } = ruleOf(table);
  const source = rowsOfShow(table, podcastId);
  return readTableRows(db, source, exportedColumns(table, columns), rowsAtOnce);
}

/**
 * Without the addresses of other hosts that contain a secret. Audio that is nowhere else is left out with its
 * address.
 */
async function* hideCredentials(
  batches: AsyncIterable<readonly RowLine[]>,
  table: string,
  columns: readonly string[],
): AsyncGenerator<readonly RowLine[]> {
  const { foreign = [] } = ruleOf(table);
  const places = foreign.map((column) => columns.indexOf(column));
  const hide = (line: RowLine): RowLine[] => {
    const row = JSON.parse(line) as (string | null)[];
    for (const at of places) {
      // Keys of items without a GUID are addresses with a prefix.
      const address = (row[at] ?? '').replace(/^enclosure:/, '');
      if (carriesCredential(address)) row[at] = null;
    }
    const isNowhere = (column: string) => row[columns.indexOf(column)] === null;
    if (table === 'audio_files' && isNowhere('blob_key') && isNowhere('source_url')) return [];
    return [JSON.stringify(row)];
  };
  for await (const lines of batches) yield places.length === 0 ? lines : lines.flatMap(hide);
}

async function spool(
  { room }: Pick<BlobStore, 'room'>,
  path: string,
  batches: AsyncIterable<readonly RowLine[]>,
  signal: AbortSignal | undefined,
): Promise<{ rows: number; digest: string }> {
  using reserved = await room.reserve(undefined);
  const digest = new RowDigest();
  let rows = 0;
  const texts = async function* () {
    for await (const lines of batches) {
      for (const line of lines) digest.add(line);
      rows += lines.length;
      yield Buffer.from(lines.map((line) => `${line}\n`).join(''));
    }
  };
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await pipeline(Readable.from(texts()), (body) => reserved.taking(body), file, { signal });
  return { rows, digest: digest.toString() };
}

const readAll = (file: FileHandle) => file.createReadStream({ start: 0, autoClose: false });

async function* readFiles(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly ShowFile[]> {
  for await (const lines of lineBatches(chunks, longestFileLine)) {
    yield lines.map((line) => {
      const [path = '', key = '', sizeBytes] = JSON.parse(line) as string[];
      return { path, key, sizeBytes: Number(sizeBytes) };
    });
  }
}
