import { newId } from '../../../lib/uuid.ts';
import { BlobNotFoundError } from '../../../platform/blob-store/blob-store.ts';
import type { Context } from '../../foundation/context.ts';
import { type FileFamily, findByIds } from '../../foundation/file-family.ts';
import type { StoredDocument } from './import.ts';
import type { ImportLimits } from './import-limits.ts';
import { selectRunningIds, selectRunningImportOf } from './imports.sql.ts';
import type { FetchedDocument } from './read/fetch-document.ts';
import { ImportReader } from './read/import-reader.ts';
import { ItemSpool } from './read/item-spool.ts';
import { ReadFeed, type ReadPage, withShowOf } from './read/read-feed.ts';
import { refuseImport } from './refuse-import.ts';

/** The stored feed of an import, which exists while the import runs. */
export const documentFiles: FileFamily = {
  folder: 'imports',
  keyForm: /^imports\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f-]{1,36}\.xml$/,
  findNamed: findByIds(selectRunningIds),
};

/**
 * Stores the original feed, so that an import can continue after a crash even if the feed has
 * changed.
 */
export async function storeDocuments(
  ctx: Context,
  importId: string,
  fetched: readonly FetchedDocument[],
): Promise<StoredDocument[]> {
  const stored: StoredDocument[] = [];
  try {
    for (const { path, charset, address } of fetched) {
      // A new name each time, so that leftovers of an earlier attempt are swept, but not this file.
      const key = `imports/${importId}/${newId()}.xml`;
      await ctx.blobs.putFile(key, path, 'application/xml');
      stored.push({ key, url: address?.final ?? null, charset: charset ?? null });
    }
  } catch (error) {
    // The store may be away; then they are swept.
    await discardDocuments(ctx, stored).catch(() => {});
    throw error;
  }
  return stored;
}

/** Dispose of the feed after the import. */
export async function readDocuments(
  ctx: Context,
  documents: readonly StoredDocument[],
  limits: ImportLimits,
  signal: AbortSignal,
): Promise<ReadFeed> {
  const spool = await ItemSpool.open(ctx, limits);
  try {
    const pages = await readPages(ctx, documents, limits, new ImportReader(ctx, spool, signal));
    return new ReadFeed(pages, spool);
  } catch (error) {
    await spool[Symbol.asyncDispose]();
    throw error;
  }
}

async function readPages(
  ctx: Context,
  documents: readonly StoredDocument[],
  limits: ImportLimits,
  reader: ImportReader,
): Promise<ReadPage[]> {
  const pages: ReadPage[] = [];
  for (const { key, charset, url } of documents) {
    try {
      const body = await ctx.blobs.read(key);
      const options = {
        charset: charset ?? undefined,
        baseUrl: url ?? undefined,
        limits: { totalBytes: limits.feedBytes },
      };
      const { sizeBytes = 0 } = (await ctx.blobs.stat(key)) ?? {};
      const page = await reader.feed(body as AsyncIterable<Buffer>, { ...options, sizeBytes });
      pages.push(withShowOf(pages[0], page));
    } catch (cause) {
      if (!(cause instanceof BlobNotFoundError)) throw cause;
      const message = 'The stored feed is missing. Import it again.';
      throw refuseImport('documents_gone', message, { cause });
    }
  }
  return pages;
}

/** Those of the running import of a podcast, whose row ends with it. */
export async function findDocuments(
  ctx: Context,
  podcastId: string,
): Promise<readonly StoredDocument[]> {
  return (await selectRunningImportOf(ctx.db, podcastId))?.documents ?? [];
}

/** Feeds may contain URLs with tokens, so they are deleted as soon as possible. */
export async function discardDocuments(
  ctx: Context,
  documents: readonly StoredDocument[],
): Promise<void> {
  for (const { key } of documents) await ctx.blobs.delete(key);
}
