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

export interface WrittenExport {
  readonly files: number;
  /** Files that the file store does not have. */
  readonly missing: readonly string[];
}

/** Writes an export into a folder. Each file appears whole, in the order of the entries. */
export async function writeExport(
  ctx: Pick<Context, 'blobs'>,
  entries: AsyncIterable<ExportEntry>,
  folder: string,
  { signal, onProgress }: WorkOptions = {},
): Promise<WrittenExport> {
  const missing: string[] = [];
  let files = 0;
  for await (const entry of entries) {
    if (await writeEntry(ctx, folder, entry, signal)) files += 1;
    else missing.push(entry.path);
    onProgress?.({ stage: 'files', done: files, total: undefined });
  }
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
    await pipeline(bytes, createWriteStream(part, { flags: 'wx', flush: true }), {
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
