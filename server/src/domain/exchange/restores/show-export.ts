import { type FileHandle, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { lineBatches } from '../../../lib/line-batches.ts';
import { tryReadRowLine } from '../../../lib/read-row-line.ts';
import { RowDigest } from '../../../lib/row-digest.ts';
import { openRegularFile } from '../../../platform/files/open-regular-file.ts';
import { DomainError } from '../../foundation/errors.ts';
import {
  type ExportedTable,
  manifestName,
  rowsPath,
  type ShowManifest,
  showTables,
  tryReadManifest,
} from '../exports/index.ts';

/** With 100 tables of 200 columns it has some 100 kB. */
const longestManifestBytes = 4 * 1024 * 1024;
/** docs/moving.md names it. Our longest row is far shorter: an episode with its show notes, or chapters. */
const longestRowBytes = 16_000_000;

/** The values of a row, in the order of the columns. */
export type ExportedRow = readonly (string | null)[];

/** The folder that `exportPodcast` has filled. Everything in it may be damaged or hostile. */
export class ShowExport {
  readonly manifest: ShowManifest;
  /** In the order in which they are restored. */
  readonly tables: readonly ExportedTable[];
  readonly #folder: string;

  private constructor(folder: string, manifest: ShowManifest) {
    this.#folder = folder;
    this.manifest = manifest;
    this.tables = Object.keys(showTables).flatMap((name) =>
      manifest.tables.filter((table) => table.name === name),
    );
  }

  static async open(folder: string): Promise<ShowExport> {
    const manifest = tryReadManifest((await readManifestText(folder)).toString());
    if (manifest === 'newer')
      throw new DomainError(
        'invalid',
        'The export was made by a newer version of Podstead. Install that version to restore it.',
      );
    if (manifest === undefined) throw damaged(`${manifestName} is not that of an export`);
    if (new Set(manifest.tables.map(({ name }) => name)).size < manifest.tables.length)
      throw damaged(`${manifestName} names a table twice`);
    return new ShowExport(folder, manifest);
  }

  /**
   * All rows of a table, in batches. Throws if they are not those that the manifest names; what was read
   * before then is not to be trusted, either.
   */
  async *readRows({ name, columns, rows, digest }: ExportedTable): AsyncGenerator<ExportedRow[]> {
    await using file = await this.openFile(rowsPath(name));
    const found = new RowDigest();
    let count = 0;
    const chunks = file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>;
    try {
      for await (const lines of lineBatches(chunks, longestRowBytes)) {
        for (const line of lines) found.add(line);
        count += lines.length;
        if (count > rows) break;
        yield lines.map((line) => readRow(name, columns, line));
      }
    } catch (error) {
      throw error instanceof RangeError ? damaged(`${rowsPath(name)}: ${error.message}`) : error;
    }
    if (count !== rows || found.toString() !== digest)
      throw damaged(`${rowsPath(name)} does not have the rows that ${manifestName} names`);
  }

  /** The caller closes it. `path` is relative, and made from checked names. */
  openFile(path: string): Promise<FileHandle> {
    return openWithin(this.#folder, path).catch(() => {
      throw damaged(`${path} is missing, or no file of the folder`);
    });
  }
}

/** Archives of others may contain links, which must not lead to files of this machine. */
async function openWithin(folder: string, path: string): Promise<FileHandle> {
  const [root, target] = [await realpath(folder), await realpath(join(folder, path))];
  if (!target.startsWith(join(root, '/'))) throw new Error(`${path} is not in ${folder}`);
  return await openRegularFile(target);
}

export function countExportedRows({ tables }: ShowExport): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

export function damaged(what: string): DomainError {
  return new DomainError('invalid', `The export is damaged: ${what}. Nothing was restored.`);
}

async function readManifestText(folder: string): Promise<Buffer> {
  await using file = await openWithin(folder, manifestName).catch(() => {
    throw new DomainError(
      'invalid',
      `${folder} has no complete export: there is no ${manifestName}, which is written last.`,
    );
  });
  const { size } = await file.stat();
  if (size > longestManifestBytes) throw damaged(`${manifestName} is too long`);
  return await file.readFile();
}

function readRow(table: string, columns: readonly string[], line: string): ExportedRow {
  const row = tryReadRowLine(line, columns.length);
  if (row === undefined) throw damaged(`${rowsPath(table)} has a row that cannot be read`);
  return row;
}
