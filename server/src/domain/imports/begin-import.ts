import { newId } from '../../lib/uuid.ts';
import type { User } from '../accounts/index.ts';
import { type Context, transact } from '../context.ts';
import { DomainError } from '../errors.ts';
import { createPodcast, type Podcast } from '../podcasts/index.ts';
import { choosePodcast, type FeedIdentity, guidOf, type PodcastChoice } from './choose-podcast.ts';
import type { Import, ImportLease, StoredDocument } from './import.ts';
import type { ImportProgress } from './import-report.ts';
import { newPodcastFields } from './import-show.ts';
import { endImport, insertImport, selectRunningImportOf } from './imports.sql.ts';
import { isAbandoned, newLease } from './lease.ts';
import { discardDocuments, storeDocuments } from './stored-documents.ts';
import type { TakenFeed } from './take-feed.ts';
import { waitFor } from './wait-for.ts';

export interface ImportOrder {
  readonly owner: User;
  readonly feed: TakenFeed;
  readonly wantedSlug: string | undefined;
  readonly copyAudio: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** An import on record, in this process's hands. */
export interface BegunImport extends Pick<Import, 'id' | 'createsPodcast' | 'createdAt'> {
  readonly podcast: Podcast;
  readonly lease: ImportLease;
}

export const firstProgress: ImportProgress = { phase: 'episodes', done: 0, total: undefined };
const watchEveryMs = 500;
const maxCollisions = 5;

/** Another import of the podcast is on record. */
class BusyError extends Error {}

/**
 * Puts an import on record: keeps the feed, and makes the podcast where there is none. Imports of
 * one podcast wait for each other; one whose process has died is done with, since this one does all
 * that it would have done.
 */
export async function beginImport(ctx: Context, order: ImportOrder): Promise<BegunImport> {
  const id = newId();
  const documents = await storeDocuments(ctx, id, order.feed.documents);
  try {
    for (let collisions = 0; ; ) {
      const choice = await choosePodcast(
        ctx,
        order.owner,
        identityOf(order.feed),
        order.wantedSlug,
      );
      if (choice.kind === 'existing') await waitForOthers(ctx, choice.podcast.id, order);
      try {
        return await putOnRecord(ctx, order, choice, { id, documents });
      } catch (error) {
        collisions += 1;
        if (!isCollision(error) || collisions === maxCollisions) throw error;
      }
    }
  } catch (error) {
    await discardDocuments(ctx, documents);
    throw error;
  }
}

export function identityOf({ channel, url, urls }: TakenFeed): FeedIdentity {
  const { guid, selfUrl, title } = channel;
  return {
    guid: guidOf({ guid, selfUrl, url: url === undefined ? undefined : urls[0] }),
    title,
    urls,
  };
}

async function putOnRecord(
  ctx: Context,
  order: ImportOrder,
  choice: PodcastChoice,
  { id, documents }: { id: string; documents: readonly StoredDocument[] },
): Promise<BegunImport> {
  const { owner, feed, copyAudio } = order;
  const lease = newLease(ctx);
  const createdAt = ctx.clock.now();
  const createsPodcast = choice.kind === 'new';
  const podcast = await transact(ctx, async (tx) => {
    const podcast = createsPodcast
      ? await createPodcast(tx, {
          ...newPodcastFields(feed.channel),
          slug: choice.slug,
          guid: choice.guid,
          owner,
        })
      : choice.podcast;
    const isAlone = await insertImport(tx.db, {
      id,
      ownerId: owner.id,
      podcastId: podcast.id,
      sourceUrl: feed.url ?? null,
      documents,
      copyAudio,
      createsPodcast,
      lease,
      progress: firstProgress,
      warnings: feed.warnings,
      createdAt,
    });
    if (!isAlone) throw new BusyError();
    return podcast;
  });
  return { id, podcast, createsPodcast, createdAt, lease };
}

async function waitForOthers(ctx: Context, podcastId: string, order: ImportOrder): Promise<void> {
  for (;;) {
    const other = await selectRunningImportOf(ctx.db, podcastId);
    if (other === undefined) return;
    if (isAbandoned(ctx, other)) {
      const end = { state: 'failed', error: 'A later import has taken its place.' } as const;
      const holder = other.lease?.holder ?? null;
      if (await endImport(ctx.db, other.id, holder, end, ctx.clock.now())) {
        await discardDocuments(ctx, other.documents);
      }
      continue;
    }
    order.onProgress({ phase: 'waiting', done: 0, total: undefined });
    await waitFor(watchEveryMs, order.signal);
  }
}

/** Somebody took the slug, made the podcast or began to import it in the same moment. */
function isCollision(error: unknown): boolean {
  if (error instanceof BusyError) return true;
  if (!(error instanceof DomainError)) return false;
  return error.details.some(({ field, reason }) => reason === 'slug_taken' || field === 'guid');
}
