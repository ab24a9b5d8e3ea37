import { newId } from '../../../lib/uuid.ts';
import { isUniqueViolation } from '../../../platform/database/sql-errors.ts';
import { consumeAttempt, type User } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { requireStorageOfAccount } from '../../foundation/storage/index.ts';
import { createPodcast, type Podcast, slugsOfUser } from '../../publishing/podcasts/index.ts';
import { newPodcastFields } from './apply/import-show.ts';
import type { Import, ImportLease, ImportTarget, StoredDocument } from './import.ts';
import { attachFeed, endImport, insertImport, selectRunningImportOf } from './imports.sql.ts';
import {
  isAbandoned,
  LeaseLostError,
  mayStillBeAtWork,
  newLease,
  resumeImportsName,
} from './lease.ts';
import { choosePodcast, type PodcastChoice } from './match/choose-podcast.ts';
import { mergeImported } from './match/known-identities.sql.ts';
import { discardPartialAudio, type FetchingImport, passOnPartialAudio } from './partial-audio.ts';
import { hashValues } from './plan/imported-values.ts';
import type { FetchedFeed } from './read/fetch-feed.ts';
import { sleep } from './read/transfers.ts';
import { refuseImport } from './refuse-import.ts';
import type { ImportProgress } from './report/import-report.ts';
import { discardDocuments, storeDocuments } from './stored-documents.ts';

export interface NewImport {
  readonly owner: User;
  readonly feed: FetchedFeed;
  readonly wish: ImportTarget;
  readonly copyAudio: boolean;
  readonly overwrite: boolean;
  readonly ignoreLock: boolean;
  /** An import that is already recorded and claimed; it gets its feed and podcast now. */
  readonly ordered?: { readonly id: string; readonly lease: ImportLease } | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** A recorded import that this process has claimed. */
export interface BegunImport
  extends Pick<Import, 'id' | 'documents' | 'createsPodcast' | 'createdAt'> {
  readonly podcast: Podcast;
  readonly lease: ImportLease;
}

export const firstProgress: ImportProgress = { phase: 'episodes', done: 0, total: undefined };
const watchEveryMs = 500;
const maxCollisions = 5;

/** Another import of the podcast is running. */
class BusyError extends Error {}

/**
 * Records an import: stores the feed, and creates the podcast if there is none. Imports of one
 * podcast wait for each other; an import whose process has died is ended, because this one does all
 * its work.
 */
export async function beginImport(ctx: Context, order: NewImport): Promise<BegunImport> {
  const id = order.ordered?.id ?? newId();
  const documents = await storeDocuments(ctx, id, order.feed.documents);
  try {
    let isCounted = false;
    for (let collisions = 0; ; ) {
      const choice = await choosePodcast(ctx, order.owner, order.feed, order.wish);
      if (choice.kind === 'new' && !isCounted) {
        await limitNewShows(ctx, order.owner);
        isCounted = true;
      }
      if (choice.kind === 'existing') {
        await waitForOthers(ctx, choice.podcast.id, { id, documents }, order);
      }
      try {
        return await insertImportRecord(ctx, order, choice, { id, documents });
      } catch (error) {
        collisions += 1;
        if (!isCollision(error) || collisions === maxCollisions) throw error;
      }
    }
  } catch (error) {
    await discardDocuments(ctx, documents);
    // An ordered import is recorded, and may be resumed.
    if (order.ordered === undefined) await discardPartialAudio(ctx, { id, documents });
    throw error;
  }
}

/**
 * Counts the slug that a user's import is about to take, or refuses it. A feed can be another show each
 * time it is fetched. The operator is not limited.
 */
async function limitNewShows(ctx: Context, owner: User): Promise<void> {
  if (ctx.principal.kind === 'operator') return;
  try {
    await consumeAttempt(ctx, [slugsOfUser, owner.id]);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const minutes = Math.ceil((error.retryAfterSeconds ?? 0) / 60);
    const message = `You can use up to ${slugsOfUser.most} new slugs an hour for new and renamed shows. Resume the import in ${minutes} minutes.`;
    throw refuseImport('too_many_slugs', message, { field: 'slug', cause: error });
  }
}

async function insertImportRecord(
  ctx: Context,
  order: NewImport,
  choice: PodcastChoice,
  { id, documents }: { id: string; documents: readonly StoredDocument[] },
): Promise<BegunImport> {
  const { owner, feed, copyAudio, overwrite, ignoreLock, ordered } = order;
  const lease = ordered?.lease ?? newLease(ctx);
  const createdAt = ctx.clock.now();
  const createsPodcast = choice.kind === 'new';
  const record = (tx: Context, row: Parameters<typeof insertImport>[1]) =>
    ordered === undefined ? insertImport(tx.db, row) : attachOrdered(tx, id, ordered.lease, row);
  const podcast = await transact(ctx, async (tx) => {
    // A new show with audio needs some; one that is here may get texts without any.
    if (createsPodcast && copyAudio) {
      await requireStorageOfAccount(tx, owner.accountId, { bytes: 1 });
    }
    const podcast = createsPodcast
      ? await createPodcast(tx, {
          ...newPodcastFields(feed.channel),
          slug: choice.slug,
          guid: choice.guid,
          owner,
        })
      : choice.podcast;
    if (createsPodcast) await mergeImported(tx.db, 'podcasts', podcast.id, hashValues(podcast));
    const isAlone = await record(tx, {
      id,
      ownerId: owner.id,
      podcastId: podcast.id,
      sourceUrl: feed.url ?? null,
      documents,
      copyAudio,
      overwrite,
      ignoreLock,
      dryRun: false,
      wish: order.wish,
      createsPodcast,
      lease,
      progress: firstProgress,
      warnings: feed.warnings,
      createdAt,
    });
    if (!isAlone) throw new BusyError();
    // From now on, background work continues it if this process dies.
    await tx.announcements.announceWork(tx.db, resumeImportsName);
    return podcast;
  });
  return { id, documents, podcast, createsPodcast, createdAt, lease };
}

async function attachOrdered(
  tx: Context,
  id: string,
  { holder }: ImportLease,
  row: Parameters<typeof attachFeed>[3],
): Promise<true> {
  if (!(await attachFeed(tx.db, id, holder, row))) throw new LeaseLostError();
  return true;
}

async function waitForOthers(
  ctx: Context,
  podcastId: string,
  own: FetchingImport,
  order: NewImport,
): Promise<void> {
  for (;;) {
    const other = await selectRunningImportOf(ctx.db, podcastId);
    if (other === undefined || other.id === own.id) return;
    if (isAbandoned(ctx, other)) {
      const end = { state: 'failed', error: 'A later import has replaced it.' } as const;
      const holder = other.lease?.holder ?? null;
      if (await endImport(ctx.db, other.id, holder, end, ctx.clock.now())) {
        // Two must not write the same file.
        if (mayStillBeAtWork(other)) await discardPartialAudio(ctx, other);
        else await passOnPartialAudio(ctx, other, own);
        await discardDocuments(ctx, other.documents);
      }
      continue;
    }
    order.onProgress({ phase: 'waiting', done: 0, total: undefined });
    await sleep(watchEveryMs, order.signal);
  }
}

/** A concurrent process took the slug, created the podcast or started to import it. */
function isCollision(error: unknown): boolean {
  if (error instanceof BusyError) return true;
  if (isUniqueViolation(error, 'imports_one_running')) return true;
  if (!(error instanceof DomainError)) return false;
  return error.details.some(({ field, reason }) => reason === 'slug_taken' || field === 'guid');
}
