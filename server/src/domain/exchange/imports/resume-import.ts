import { setTimeout as sleep } from 'node:timers/promises';
import { getUser } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { getPodcast, type Podcast } from '../../publishing/podcasts/index.ts';
import { reportPodcast } from './apply/import-show.ts';
import { beginImport } from './begin-import.ts';
import { carryOutImport, type ImportOptions, limitsOf } from './carry-out-import.ts';
import { endLeasedImport } from './end-import.ts';
import type { Import, ImportHolder, ImportLease, TurnKind } from './import.ts';
import {
  type ImportLimits,
  importLimits,
  leaseMs,
  maxAttempts,
  maxDeathsInPlace,
} from './import-limits.ts';
import { lockTurns, recordImportTurn, selectTurnCandidates } from './import-list.sql.ts';
import {
  claimImport,
  countEpisodesSince,
  endImport,
  selectImport,
  selectRunningImports,
} from './imports.sql.ts';
import {
  beginTurn,
  countDeaths,
  isAbandoned,
  keepLease,
  type LeasedImport,
  mayStillBeAtWork,
  newLease,
  turnKindOf,
} from './lease.ts';
import { discardPartialAudio } from './partial-audio.ts';
import { planImport } from './plan/plan-import.ts';
import { fetchFeed } from './read/fetch-feed.ts';
import { refuseImport } from './refuse-import.ts';
import type { ImportPhase, ImportProgress, ImportReport } from './report/import-report.ts';
import { ReportDraft } from './report/report-draft.ts';
import { discardDocuments, readDocuments } from './stored-documents.ts';

/** Unfinished imports without a living process, oldest first. */
export async function listAbandonedImports(ctx: Context): Promise<string[]> {
  return (await findAbandonedImports(ctx)).abandoned.map(({ id }) => id);
}

/**
 * The same, and the seconds until another running one may be abandoned: undefined if none is
 * running.
 */
export async function findAbandonedImports(ctx: Context): Promise<{
  readonly abandoned: readonly Pick<Import, 'id' | 'attempts'>[];
  readonly nextCheckInSeconds: number | undefined;
}> {
  const running = await selectRunningImports(ctx.db);
  if (running.length === 0) return { abandoned: [], nextCheckInSeconds: undefined };
  const abandoned: (typeof running)[number][] = [];
  const nowMs = ctx.clock.now().getTime();
  let leftMs = leaseMs;
  for (const found of running) {
    // It will be claimed in a moment.
    if (isAbandoned(ctx, found)) abandoned.push(found);
    else leftMs = Math.min(leftMs, (found.lease?.until.getTime() ?? nowMs) - nowMs);
  }
  return { abandoned, nextCheckInSeconds: Math.ceil(leftMs / 1000) + 1 };
}

/** An import that this process has claimed, as it was before. */
export interface ClaimedImport {
  readonly found: Import;
  readonly lease: ImportLease;
  readonly deaths: number;
  readonly turn?: TurnKind | undefined;
}

/**
 * Resumes an interrupted import. Undefined if it has ended or another process was faster. When the
 * signal aborts, the import is paused.
 */
export async function resumeImport(
  ctx: Context,
  importId: string,
  options: ImportOptions = {},
): Promise<ImportReport | undefined> {
  const claimed = await claim(ctx, importId);
  return claimed && (await carryOutClaimed(ctx, claimed, options));
}

/**
 * Claims the next import that waits for a turn of this kind, and notes the turn: of the account whose
 * last one is the longest ago. An account has at most one such turn at a time in all processes; one
 * whose process was killed no longer counts when its claim expires.
 */
export async function claimTurn(ctx: Context, turn: TurnKind): Promise<ClaimedImport | undefined> {
  return await transact(ctx, async (tx) => {
    await lockTurns(tx.db);
    const running = await selectTurnCandidates(tx.db, turn);
    const waiting = running.filter((found) => isAbandoned(tx, found));
    const busy = new Set(
      running
        .filter((found) => !waiting.includes(found) && found.lease?.holder.turn === turn)
        .map(({ ownerId }) => ownerId),
    );
    for (const found of waiting) {
      if (turnKindOf(found) !== turn || busy.has(found.ownerId)) continue;
      const claimed = await claim(tx, found.id, turn);
      // A command was faster.
      if (claimed === undefined) continue;
      await recordImportTurn(tx.db, turn, found.ownerId);
      return claimed;
    }
    return undefined;
  });
}

/** Undefined if it has ended or another process was faster. */
async function claim(
  ctx: Context,
  importId: string,
  turn?: TurnKind,
): Promise<ClaimedImport | undefined> {
  const found = await selectImport(ctx.db, importId);
  if (found?.state !== 'running' || !isAbandoned(ctx, found)) return undefined;
  const lease = newLease(ctx, turn);
  const deaths = countDeaths(found);
  const before = { id: importId, lease: found.lease, deaths };
  const isClaimed = await claimImport(ctx.db, before, lease, ctx.clock.now());
  return isClaimed ? { found, lease, deaths, turn } : undefined;
}

/**
 * Runs a claimed import. When the signal aborts, it is paused; in a turn, also when that is over and
 * another import waits (TurnOverError).
 */
export async function carryOutClaimed(
  ctx: Context,
  { found, lease, deaths, turn: kind }: ClaimedImport,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { id: importId } = found;
  if (deaths >= maxDeathsInPlace) return await endCrashingImport(ctx, found, lease.holder);
  const limits = limitsOf(options);
  const acting = { ...ctx, onBehalfOf: found.ownerId };
  using turn = kind && beginTurn(ctx, found, limits);
  const signals = [options.signal, turn?.signal].filter((signal) => signal !== undefined);
  using leased = keepLease(ctx, importId, lease, {
    progress: found.progress,
    signal: AbortSignal.any(signals),
    renewEveryMs: limits.leaseRenewalMs,
    check: () => requireStillAllowedFor(ctx, importId),
  });
  return await endLeasedImport(ctx, importId, leased, async () => {
    await untilNobodyElse(found, limits, leased.signal);
    if (found.attempts >= maxAttempts) {
      throw refuseImport(
        'gave_up',
        `The import was interrupted ${found.attempts} times without progress.`,
      );
    }
    if (found.documents.length === 0)
      return await carryOutRequest(acting, found, leased, lease, options);
    const podcast = await findPodcast(ctx, found);
    await requireStillAllowed(ctx, found.ownerId, podcast.id);
    await using feed = await readDocuments(acting, found.documents, limits, leased.signal);
    return await carryOutImport(acting, { ...found, podcast, feed }, leased, options);
  });
}

/** Until a process that still works on it has noticed our claim, both would write the same files. */
async function untilNobodyElse(
  found: Pick<Import, 'lease'>,
  { leaseRenewalMs }: Pick<ImportLimits, 'leaseRenewalMs'>,
  signal: AbortSignal,
): Promise<void> {
  if (!mayStillBeAtWork(found)) return;
  await sleep(2 * leaseRenewalMs, undefined, { signal });
}

/** Runs a requested import whose feed has not been read yet. */
async function carryOutRequest(
  ctx: Context,
  found: Import,
  leased: LeasedImport,
  lease: ImportLease,
  options: ImportOptions,
): Promise<ImportReport> {
  if (found.sourceUrl === null) throw documentsGone();
  const limits = limitsOf(options);
  const owner = await getUser(ctx, found.ownerId);
  const { signal } = leased;
  const onProgress = (progress: ImportProgress) => {
    leased.note(progress);
    options.onProgress?.(progress);
  };
  const { copyAudio, overwrite, ignoreLock, wish, id } = found;
  const lock = { ignore: ignoreLock, ownerId: owner.id };
  await using feed = await fetchFeed(
    ctx,
    { url: found.sourceUrl },
    { limits, lock, signal, onProgress },
  );
  signal.throwIfAborted();
  const order = { owner, feed, wish, copyAudio, overwrite, signal, onProgress };
  if (found.dryRun) return await planImport(ctx, { ...order, limits, importId: id });
  const begun = await beginImport(ctx, { ...order, ignoreLock, ordered: { id, lease } });
  await requireStillAllowed(ctx, owner.id, begun.podcast.id);
  const work = { ...found, ...begun, feed: feed.content, warnings: feed.warnings };
  return await carryOutImport(ctx, work, leased, options);
}

/** Background work may do everything. The user whose import it is may have left the show since. */
async function requireStillAllowed(ctx: Context, userId: string, podcastId: string): Promise<void> {
  const asUser: Context = { ...ctx, principal: { kind: 'user', userId } };
  await authorize(asUser, 'podcast.import', { podcastId });
}

/** The same while it runs. Before the feed is read, there is no show. */
async function requireStillAllowedFor(ctx: Context, importId: string): Promise<void> {
  const found = await selectImport(ctx.db, importId);
  if (found === undefined || found.podcastId === null) return;
  await requireStillAllowed(ctx, found.ownerId, found.podcastId);
}

function documentsGone(): Error {
  return refuseImport('documents_gone', 'The stored feed is missing. Import it again.');
}

async function findPodcast(ctx: Context, { podcastId }: Import): Promise<Podcast> {
  if (podcastId !== null) return getPodcast(ctx, podcastId);
  throw refuseImport('podcast_gone', 'The podcast has been deleted.');
}

const places: Readonly<Record<ImportPhase, string>> = {
  queued: 'waiting for its turn',
  waiting: 'waiting for another import',
  feed: 'reading the feed',
  episodes: 'creating the episodes',
  images: 'fetching the images',
  texts: 'fetching transcripts and chapters',
  audio: 'copying the audio',
};

/**
 * Ends an import during which two processes died at the same point, with a report that names it.
 * Everything imported so far stays. Throws the refusal `gave_up`.
 */
async function endCrashingImport(
  ctx: Context,
  found: Import,
  holder: ImportHolder,
): Promise<never> {
  const { id, progress, documents } = found;
  const { phase, done, total } = progress;
  const count = total === undefined ? '' : `, ${done} of ${total} done`;
  const message = `Two processes stopped at the same point of the import: ${places[phase]}${count}. The import was stopped; everything imported so far stays.`;
  const report = await reportDeath(ctx, found, message);
  const end = {
    state: 'failed',
    error: message,
    errorReason: 'gave_up',
    ...(report === undefined ? {} : { report }),
  } as const;
  await endImport(ctx.db, id, holder, end, ctx.clock.now());
  await discardPartialAudio(ctx, found);
  await discardDocuments(ctx, documents);
  ctx.log.error({ importId: id, phase, done, total }, 'two processes died during an import');
  throw refuseImport('gave_up', message);
}

async function reportDeath(
  ctx: Context,
  { id, podcastId, createsPodcast, createdAt, progress, warnings }: Import,
  message: string,
): Promise<ImportReport | undefined> {
  if (podcastId === null) return undefined;
  const report = new ReportDraft(importLimits);
  report.leaveOut({ guid: null, title: progress.title ?? null, reason: 'process_ended', message });
  const podcast = reportPodcast(await getPodcast(ctx, podcastId), createsPodcast, []);
  const created = await countEpisodesSince(ctx.db, podcastId, createdAt);
  return { ...report.finish({ importId: id, podcast }), created, warnings };
}
