import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { RowDigest } from '../../../lib/row-digest.ts';
import { BlobNotFoundError } from '../../../platform/blob-store/blob-store.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Context } from '../../foundation/context.ts';
import type { WorkOptions } from '../../foundation/work-progress.ts';
import { readShowRows } from '../exports/index.ts';
import type { LoadedRows } from './load-rows.ts';
import { countExportedRows, type ShowExport } from './show-export.ts';
import type { StoredFiles } from './store-files.ts';

/** Reads all rows again, as an export would. Returns what differs from what was restored, in words. */
export async function compareRows(
  ctx: Context,
  show: ShowExport,
  podcastId: string,
  { expected }: LoadedRows,
  { signal, onProgress }: WorkOptions,
): Promise<string[]> {
  const differences: string[] = [];
  let done = 0;
  for (const { name, columns, rows } of show.tables) {
    const found = new RowDigest();
    let count = 0;
    await inTransaction(ctx.db, async (db) => {
      for await (const lines of readShowRows(db, name, columns, podcastId)) {
        signal?.throwIfAborted();
        for (const line of lines) found.add(JSON.stringify(JSON.parse(line)));
        count += lines.length;
        onProgress?.({ stage: 'comparison', done: done + count, total: countExportedRows(show) });
      }
    });
    done += count;
    // Former slugs may be lost.
    if (name === 'podcast_slugs') continue;
    if (count !== rows) differences.push(`${name}: ${rows} rows in the export, ${count} here`);
    else if (found.toString() !== expected.get(name)) differences.push(`${name}: some rows differ`);
  }
  return differences;
}

/** Reads all files again, and returns what differs. */
export async function compareFiles(
  { blobs }: Pick<Context, 'blobs'>,
  { hashes }: StoredFiles,
  { signal, onProgress }: WorkOptions,
): Promise<string[]> {
  const differences: string[] = [];
  let done = 0;
  for (const [key, sha256] of hashes) {
    signal?.throwIfAborted();
    const found = createHash('sha256');
    try {
      await pipeline(await blobs.read(key), found);
      if (found.digest('hex') !== sha256) differences.push(`${key}: another content`);
    } catch (error) {
      if (!(error instanceof BlobNotFoundError)) throw error;
      differences.push(`${key}: missing`);
    }
    done += 1;
    onProgress?.({ stage: 'comparison', done, total: hashes.size });
  }
  return differences;
}
