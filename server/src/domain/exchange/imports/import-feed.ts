import { getUserByEmail, type User } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { isTrusted, mayActFor } from '../../foundation/principal.ts';
import { type BegunImport, beginImport, firstProgress } from './begin-import.ts';
import { carryOutImport, type ImportOptions, limitsOf } from './carry-out-import.ts';
import { endLeasedImport } from './end-import.ts';
import { keepLease } from './lease.ts';
import { planImport } from './plan/plan-import.ts';
import type { FeedSource } from './read/fetch-document.ts';
import { type FetchedFeed, fetchFeed } from './read/fetch-feed.ts';
import type { ImportReport } from './report/import-report.ts';

/** Whose account it is. */
export type GivenOwner = User | { readonly email: string };

export interface FeedToImport extends ImportOptions {
  readonly source: FeedSource;
  readonly owner: GivenOwner;
  /** Of the podcast; default: from the feed's title. */
  readonly slug?: string | undefined;
  /** The slug of an existing show to import into. */
  readonly into?: string | undefined;
  /** False: our URLs redirect to the original audio. */
  readonly copyAudio: boolean;
  /** Replaces values even if they were changed or deleted here. */
  readonly overwrite?: boolean | undefined;
  /** Imports even a locked feed; for the operator only. */
  readonly ignoreLock?: boolean | undefined;
  /** Called when the import is recorded: from here on it continues without its caller. */
  readonly onBegun?: ((importId: string) => void) | undefined;
  /** Reports what would happen without importing. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Imports a podcast feed: the show, its episodes, people, images, transcripts, chapters and, if
 * requested, audio. Repeating it updates and adds, without duplicates. After a crash, a worker or
 * another run continues it. Problems of one item are reported and do not stop the others. Throws
 * DomainError `invalid` with an ImportRefusal as the reason if the feed cannot be imported; and the
 * signal's reason when that aborts, in which case a recorded import is paused until background work
 * resumes it.
 */
export async function importFeed(ctx: Context, input: FeedToImport): Promise<ImportReport> {
  const owner = await requireOwn(ctx, input.owner);
  const acting = { ...ctx, onBehalfOf: owner.id };
  const { signal, onProgress, ignoreLock = false } = input;
  if (ignoreLock && !isTrusted(ctx)) {
    throw new DomainError('forbidden', 'Only the operator may ignore a lock.');
  }
  const limits = limitsOf(input);
  const lock = { ignore: ignoreLock, ownerId: owner.id };
  await using feed = await fetchFeed(acting, input.source, { limits, lock, signal, onProgress });
  signal?.throwIfAborted();
  const { overwrite = false } = input;
  if (input.dryRun === true) {
    return await planImport(ctx, { ...input, wish: input, overwrite, owner, feed, limits });
  }
  const begun = await beginImport(ctx, {
    owner,
    feed,
    wish: input,
    copyAudio: input.copyAudio,
    overwrite,
    ignoreLock,
    signal,
    onProgress: (progress) => onProgress?.(progress),
  });
  input.onBegun?.(begun.id);
  return await carryOutBegun(acting, input, feed, begun);
}

async function carryOutBegun(
  ctx: Context,
  input: FeedToImport,
  feed: FetchedFeed,
  begun: BegunImport,
): Promise<ImportReport> {
  using leased = keepLease(ctx, begun.id, begun.lease, {
    progress: firstProgress,
    signal: input.signal,
    renewEveryMs: limitsOf(input).leaseRenewalMs,
  });
  return await endLeasedImport(ctx, begun.id, leased, async () => {
    await authorize(ctx, 'podcast.import', { podcastId: begun.podcast.id });
    const { warnings } = feed;
    const { copyAudio, overwrite = false } = input;
    const work = { ...begun, copyAudio, overwrite, feed: feed.content, warnings };
    return carryOutImport(ctx, work, leased, input);
  });
}

/** Users may import only for themselves; the operator for anyone. */
export async function requireOwn(ctx: Context, given: GivenOwner): Promise<User> {
  const owner = 'id' in given ? given : await getUserByEmail(ctx, given.email);
  if (mayActFor(ctx, owner.id)) return owner;
  throw new DomainError('forbidden', 'You can only import into your own account.');
}
