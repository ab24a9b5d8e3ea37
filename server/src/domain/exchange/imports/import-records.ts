import { newId } from '../../../lib/uuid.ts';
import { consumeAttempt, getUser, lockUser } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { DomainError, notFound } from '../../foundation/errors.ts';
import { isTrusted, mayActFor, requireUser } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import type { ImportTarget } from './import.ts';
import {
  cancelRunningImport,
  countRunningImports,
  deleteImportsBeyond,
  deleteOldDryRuns,
  emptyOldReports,
  type FoundImport,
  type ImportPosition,
  type ListedImport,
  restartImport,
  selectFoundImport,
  selectListedImports,
} from './import-list.sql.ts';
import { insertImport, selectImport } from './imports.sql.ts';
import { isAbandoned, resumeImportsName } from './lease.ts';
import { discardPartialAudio } from './partial-audio.ts';
import { refuseImport } from './refuse-import.ts';
import { discardDocuments } from './stored-documents.ts';

const requestsPerUser = { name: 'imports-user', most: 60, windowMs: 3_600_000 };
const mostRunning = 5;
const keptDryRuns = 20;
const keptReports = 100;
const keptImports = 1_000;

export interface ImportRequest extends ImportTarget {
  readonly url: string;
  readonly copyAudio: boolean;
  readonly overwrite: boolean;
  readonly dryRun: boolean;
}

/** Requests an import into the user's own account, for background work. Returns it. */
export async function requestImport(ctx: Context, request: ImportRequest): Promise<FoundImport> {
  const userId = requireUser(ctx);
  const { url, slug, into, copyAudio, overwrite, dryRun } = request;
  if (slug !== undefined && into !== undefined) {
    throw refuseImport('slug_taken', 'Use either a slug or an existing show.', { field: 'slug' });
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw refuseImport('bad_address', 'This must be an http or https URL.', { field: 'url' });
  }
  await consumeAttempt(ctx, [requestsPerUser, userId]);
  const { id: ownerId } = await getUser(ctx, userId);
  const id = newId();
  await transact(ctx, async (tx) => {
    await lockUser(tx, ownerId);
    await requireRoom(tx, ownerId);
    await deleteOldDryRuns(tx.db, ownerId, keptDryRuns);
    await deleteImportsBeyond(tx.db, ownerId, keptImports);
    await emptyOldReports(tx.db, ownerId, keptReports);
    await insertImport(tx.db, {
      ...{ id, ownerId, copyAudio, overwrite, dryRun, sourceUrl: url, wish: { slug, into } },
      ...{ podcastId: null, documents: [], ignoreLock: false, createsPodcast: false, lease: null },
      progress: { phase: 'feed', done: 0, total: undefined },
      warnings: [],
      createdAt: tx.clock.now(),
    });
    await tx.announcements.announceWork(tx.db, resumeImportsName);
  });
  return getImport(ctx, id);
}

/** Newest first: a user's own imports, or all for the operator. */
export async function listImports(
  ctx: Context,
  { limit, after }: { readonly limit: number; readonly after?: ImportPosition | undefined },
): Promise<{ items: ListedImport[]; next: ImportPosition | undefined }> {
  const ownerId = isTrusted(ctx) ? undefined : requireUser(ctx);
  const rows = await selectListedImports(ctx.db, { ownerId, after, limit: limit + 1 });
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? items.at(-1) : undefined };
}

/** The user's own import, or any for the operator. Throws not_found. */
export async function getImport(ctx: Context, importId: string): Promise<FoundImport> {
  const found = await selectFoundImport(ctx.db, importId);
  if (found === undefined || !mayActFor(ctx, found.ownerId)) throw notFound('import');
  return found;
}

/** What its user may do with an import, so that a screen offers only that. */
export interface ImportRights {
  readonly mayCancel: boolean;
  /** A failed or cancelled import of a file cannot be repeated: the file is not stored. */
  readonly mayResume: boolean;
}

export function importRightsOf({
  state,
  sourceUrl,
}: Pick<ListedImport, 'state' | 'sourceUrl'>): ImportRights {
  const hasFailed = state === 'failed' || state === 'cancelled';
  return { mayCancel: state === 'running', mayResume: hasFailed && sourceUrl !== null };
}

/** Cancels an import; what it has imported stays. The process that runs it stops within seconds. */
export async function cancelImport(ctx: Context, importId: string): Promise<FoundImport> {
  await getImport(ctx, importId);
  const stored = await selectImport(ctx.db, importId);
  if (!(await cancelRunningImport(ctx.db, importId, ctx.clock.now()))) {
    throw refuseImport('has_ended', 'This import has ended.', { field: 'import' });
  }
  if (stored !== undefined) {
    // The process that runs it deletes what it has fetched since.
    await discardPartialAudio(ctx, stored);
    await discardDocuments(ctx, stored.documents);
  }
  return getImport(ctx, importId);
}

/**
 * Makes an import ready to be resumed: a paused one continues; a failed or cancelled one starts
 * over from its URL. `wake`: background work resumes it at once; otherwise the caller calls
 * `resumeImport`.
 */
export async function reopenImport(
  ctx: Context,
  importId: string,
  { wake }: { readonly wake: boolean },
): Promise<FoundImport> {
  const { ownerId, state, sourceUrl } = await getImport(ctx, importId);
  if (state === 'finished') {
    throw refuseImport('has_ended', 'This import has finished.', { field: 'import' });
  }
  if (state === 'running') {
    const stored = await selectImport(ctx.db, importId);
    if (stored !== undefined && !isAbandoned(ctx, stored)) {
      throw refuseImport('under_way', 'This import is running.', { field: 'import' });
    }
  } else if (sourceUrl === null) {
    const message = 'It came from a file that is not stored. Import the file again.';
    throw refuseImport('documents_gone', message, { field: 'import' });
  } else {
    const { principal } = ctx;
    // The feed is fetched again, and may bring another show.
    if (principal.kind === 'user') await consumeAttempt(ctx, [requestsPerUser, principal.userId]);
    await transact(ctx, async (tx) => {
      await lockUser(tx, ownerId);
      const isUser = !isTrusted(tx);
      if (isUser) await requireRoom(tx, ownerId);
      await restartImport(tx.db, importId, { now: tx.clock.now(), obeysLock: isUser });
    });
  }
  if (wake) await ctx.announcements.announceWork(ctx.db, resumeImportsName);
  return getImport(ctx, importId);
}

async function requireRoom(tx: Context, ownerId: string): Promise<void> {
  if ((await countRunningImports(tx.db, ownerId)) < mostRunning) return;
  const said = sayRefusal('running_imports', { count: mostRunning });
  throw new DomainError('rate_limited', said, { retryAfterSeconds: 60 });
}
