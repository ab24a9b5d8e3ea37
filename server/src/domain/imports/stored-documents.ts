import { BlobNotFoundError } from '../../platform/blob-store/blob-store.ts';
import type { Context } from '../context.ts';
import { parseFeed } from './feed/parse-feed.ts';
import type { ParsedFeed } from './feed/parsed-feed.ts';
import type { StoredDocument } from './import.ts';
import type { ImportLimits } from './import-limits.ts';
import { refuseImport } from './refuse-import.ts';
import type { TakenDocument } from './take-document.ts';

/** Keeps the feed as it came, so that an import goes on after a crash whatever became of it. */
export async function storeDocuments(
  ctx: Context,
  importId: string,
  taken: readonly TakenDocument[],
): Promise<StoredDocument[]> {
  const stored: StoredDocument[] = [];
  for (const [index, { path, charset, address }] of taken.entries()) {
    const key = `imports/${importId}/${index + 1}.xml`;
    await ctx.blobs.putFile(key, path, 'application/xml');
    stored.push({ key, url: address?.final ?? null, charset: charset ?? null });
  }
  return stored;
}

export async function readDocuments(
  ctx: Context,
  documents: readonly StoredDocument[],
  limits: ImportLimits,
): Promise<ParsedFeed[]> {
  const pages: ParsedFeed[] = [];
  for (const { key, charset } of documents) {
    try {
      const body = await ctx.blobs.read(key);
      const options = { charset: charset ?? undefined, limits: { totalBytes: limits.feedBytes } };
      pages.push(await parseFeed(body as AsyncIterable<Buffer>, options));
    } catch (cause) {
      if (!(cause instanceof BlobNotFoundError)) throw cause;
      const message = 'What was kept of the feed is gone: import it once more.';
      throw refuseImport('documents_gone', message, { cause });
    }
  }
  return pages;
}

/** A feed may hold addresses with tokens: nothing of it stays longer than it is needed. */
export async function discardDocuments(
  ctx: Context,
  documents: readonly StoredDocument[],
): Promise<void> {
  for (const { key } of documents) await ctx.blobs.delete(key);
}
