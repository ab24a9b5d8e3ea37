import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { wireNames } from '../../../lib/wire-names.ts';
import { BlobNotFoundError } from '../../../platform/blob-store/blob-store.ts';
import type { Context } from '../../foundation/context.ts';
import type { WorkOptions } from '../../foundation/work-progress.ts';
import type { ExportEntry } from './episode-files.ts';
import { manifestName } from './show-manifest.ts';

export interface WrittenExport {
  readonly files: number;
  /** Files that the file store does not have. */
  readonly missing: readonly string[];
}

/** Most of the time for a small file is waiting. */
const filesAtOnce = 8;

/** Writes an export into a folder. Each file appears whole, and the manifest when all others are there. */
export async function writeExport(
  ctx: Pick<Context, 'blobs'>,
  entries: AsyncIterable<ExportEntry>,
  folder: string,
  { signal, onProgress }: WorkOptions = {},
): Promise<WrittenExport> {
  const missing: string[] = [];
  let files = 0;
  const write = async (entry: ExportEntry) => {
    if (await writeEntry(ctx, folder, entry, signal)) files += 1;
    else missing.push(entry.path);
    onProgress?.({ stage: 'files', done: files, total: undefined });
  };
  const writing = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const settle = async (most: number) => {
    while (writing.size > most) await Promise.race(writing);
    if (failures.length > 0) throw failures[0];
  };
  for await (const entry of entries) {
    if (entry.path === manifestName) await settle(0);
    const one = write(entry)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => writing.delete(one));
    writing.add(one);
    // What an entry reads may end with the entries.
    await settle(entry.path === manifestName ? 0 : filesAtOnce - 1);
  }
  await settle(0);
  return { files, missing };
}

/** False: the file store does not have it. */
async function writeEntry(
  ctx: Pick<Context, 'blobs'>,
  folder: string,
  { path, content }: ExportEntry,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const bytes = await openContent(ctx, content);
  if (bytes === undefined) return false;
  const target = join(folder, path);
  const part = `${target}.part`;
  await mkdir(dirname(target), { recursive: true });
  try {
    await pipeline(bytes, createWriteStream(part, { flags: 'wx' }), {
      signal,
    });
    await rename(part, target);
    return true;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function openContent(
  { blobs }: Pick<Context, 'blobs'>,
  content: ExportEntry['content'],
): Promise<Readable | undefined> {
  if (content.kind === 'text') return Readable.from(content.pieces, { objectMode: false });
  if (content.kind === 'data')
    return Readable.from([`${JSON.stringify(wireNames(content.value), undefined, 2)}\n`]);
  return await blobs.read(content.key).catch((error: unknown) => {
    if (error instanceof BlobNotFoundError) return undefined;
    throw error;
  });
}
