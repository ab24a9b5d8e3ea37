import { getUserByEmail, type User } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { requireCapability } from '../podcasts/index.ts';
import { type BegunImport, beginImport, firstProgress, identityOf } from './begin-import.ts';
import { carryOutImport, type ImportOptions, limitsOf } from './carry-out-import.ts';
import { endHeldImport } from './end-import.ts';
import type { ImportReport } from './import-report.ts';
import { holdImport } from './lease.ts';
import { planImport } from './plan-import.ts';
import type { FeedSource } from './take-document.ts';
import { type TakenFeed, takeFeed } from './take-feed.ts';

export interface FeedToImport extends ImportOptions {
  readonly source: FeedSource;
  readonly owner: User | { readonly email: string };
  /** Of the podcast; default: made from the feed's title. */
  readonly slug?: string | undefined;
  /** False: our addresses redirect to where the audio is. */
  readonly copyAudio: boolean;
  /** Says what would happen, and leaves nothing behind. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Imports a podcast feed: the show, its episodes, people, pictures, transcripts, chapters and, if
 * wanted, audio. Run again, it updates and adds, and never doubles; killed, it is gone on with by a
 * worker, or by being run again. What is wrong with one item is reported and stops no
 * other. Throws DomainError `invalid`, with an ImportRefusal as the reason, for a feed that is not
 * imported at all; and the signal's reason when that cancels it: what is in by then stays.
 */
export async function importFeed(ctx: Context, input: FeedToImport): Promise<ImportReport> {
  const owner = 'id' in input.owner ? input.owner : await getUserByEmail(ctx, input.owner.email);
  requireOwn(ctx, owner);
  const { signal, onProgress } = input;
  const limits = limitsOf(input);
  await using feed = await takeFeed(ctx, input.source, { limits, signal, onProgress });
  signal?.throwIfAborted();
  if (input.dryRun === true) {
    return await planImport(ctx, { ...input, owner, feed, identity: identityOf(feed), limits });
  }
  const begun = await beginImport(ctx, {
    owner,
    feed,
    wantedSlug: input.slug,
    copyAudio: input.copyAudio,
    signal,
    onProgress: (progress) => onProgress?.(progress),
  });
  return await carryOutBegun(ctx, input, feed, begun);
}

async function carryOutBegun(
  ctx: Context,
  input: FeedToImport,
  feed: TakenFeed,
  begun: BegunImport,
): Promise<ImportReport> {
  using held = holdImport(ctx, begun.id, begun.lease, {
    progress: firstProgress,
    signal: input.signal,
  });
  return await endHeldImport(ctx, begun.id, held, 'cancel', async () => {
    await requireCapability(ctx, begun.podcast.id, 'show.import');
    const { pages, warnings } = feed;
    const work = { ...begun, copyAudio: input.copyAudio, pages, warnings };
    return carryOutImport(ctx, work, held, input);
  });
}

/** A user imports for nobody else; the operator for anyone. */
function requireOwn({ actor }: Context, owner: User): void {
  if (actor.kind === 'operator' || actor.kind === 'system') return;
  if (actor.kind === 'user' && actor.userId === owner.id) return;
  throw new DomainError('forbidden', 'A show is imported into an account of your own.');
}
