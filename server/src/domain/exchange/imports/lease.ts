import { newId } from '../../../lib/uuid.ts';
import { livenessOf, ownIdentity } from '../../../platform/database/process-identity.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import type { Import, ImportHolder, ImportLease, TurnKind } from './import.ts';
import { type ImportLimits, leaseMs, longestLeaseMs } from './import-limits.ts';
import { isAnotherWaiting } from './import-list.sql.ts';
import { releaseImport, renewImport } from './imports.sql.ts';
import type { ImportProgress } from './report/import-report.ts';

/** The job that finds imports without a living process. */
export const resumeImportsName = 'resume-imports';

/** Another process has taken over the import; this one must not change anything. */
export class LeaseLostError extends Error {
  constructor() {
    super('another process has taken the import over');
    this.name = 'LeaseLostError';
  }
}

export function newLease(ctx: Context, turn?: TurnKind): ImportLease {
  return leaseOf(ctx, { ...ownIdentity(), run: newId(), ...(turn && { turn }) });
}

/** No process runs it: its claim was released, has expired, or belongs to a dead process. */
export function isAbandoned(ctx: Context, { lease }: Pick<Import, 'lease'>): boolean {
  if (lease === null) return true;
  const leftMs = lease.until.getTime() - ctx.clock.now().getTime();
  if (leftMs < 0 || leftMs > longestLeaseMs) return true;
  return livenessOf(lease.holder) === 'dead';
}

/**
 * How many processes died during it. A holder that did not release its claim counts as dead, unless
 * it is known to be alive and had only lost the database for a while.
 */
export function countDeaths({ deaths, lease }: Pick<Import, 'deaths' | 'lease'>): number {
  return lease === null || livenessOf(lease.holder) === 'alive' ? deaths : deaths + 1;
}

/**
 * Whether a process may still work on it although its claim seems to have ended, as after a jump of the clock. It
 * learns of that with its next renewal.
 */
export function mayStillBeAtWork({ lease }: Pick<Import, 'lease'>): boolean {
  return lease !== null && livenessOf(lease.holder) !== 'dead';
}

/** An import that this process has claimed, until disposal. */
export interface LeasedImport extends Disposable {
  readonly holder: ImportHolder;
  /** Aborts with the caller's signal, or with LeaseLostError. */
  readonly signal: AbortSignal;
  /** What was noted last is that it waits for another import. */
  readonly isWaiting: boolean;
  /** Stored with the next renewal, for other processes to show. */
  note(progress: ImportProgress): void;
}

/**
 * Renews the claim in the background; work on the import watches `signal`. Each renewal also calls
 * `check`, which aborts it by throwing a DomainError. It is then released, and refused in its next turn.
 */
export function keepLease(
  ctx: Context,
  importId: string,
  { holder }: ImportLease,
  options: {
    readonly progress: ImportProgress;
    readonly signal?: AbortSignal | undefined;
    readonly renewEveryMs: number;
    readonly check?: () => Promise<void>;
  },
): LeasedImport {
  const lost = new AbortController();
  let { progress } = options;
  let [isRenewing, isWaiting] = [false, false];
  let believedUntilMs = performance.now() + leaseMs;
  const renew = async (): Promise<void> => {
    const requestedAtMs = performance.now();
    const lease = leaseOf(ctx, holder);
    const isMine = await renewImport(ctx.db, importId, lease, progress, ctx.clock.now());
    if (isMine) believedUntilMs = requestedAtMs + leaseMs;
    else lost.abort(new LeaseLostError());
    await options.check?.().catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      lost.abort(error);
    });
  };
  const timer = setInterval(() => {
    if (performance.now() > believedUntilMs) lost.abort(new LeaseLostError());
    if (isRenewing || lost.signal.aborted) return;
    isRenewing = true;
    renew()
      .catch((error: unknown) => ctx.log.warn({ err: error, importId }, 'lease not renewed'))
      .finally(() => {
        isRenewing = false;
      });
  }, options.renewEveryMs);
  timer.unref();
  const signals = options.signal === undefined ? [] : [options.signal];
  return {
    holder,
    signal: AbortSignal.any([lost.signal, ...signals]),
    get isWaiting() {
      return isWaiting;
    },
    note: (next) => {
      progress = next;
      isWaiting = next.phase === 'waiting';
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/**
 * Releases the claim, so that another process can resume at once. A release after an error or a
 * turn counts as an attempt, so that a hopeless import ends eventually; after an outage, which may last
 * for days, it does not. Neither does a turn that ended while it waited for another import.
 */
export async function releaseLease(
  ctx: Context,
  importId: string,
  leased: LeasedImport,
  { isOutage }: { readonly isOutage: boolean },
): Promise<void> {
  const { aborted, reason } = leased.signal;
  const isTurnOver = aborted && reason instanceof TurnOverError;
  const isOrderly = isOutage || (aborted && !isTurnOver);
  const hasOnlyWaited = isTurnOver && leased.isWaiting;
  const how = { isOrderly, hasOnlyWaited, now: ctx.clock.now() };
  await releaseImport(ctx.db, importId, leased.holder, how);
  // Background work resumes it at once, or when it has its turn again.
  if (aborted) await ctx.announcements.announceWork(ctx.db, resumeImportsName);
}

function leaseOf(ctx: Context, holder: ImportHolder): ImportLease {
  return { holder, until: new Date(ctx.clock.now().getTime() + leaseMs) };
}

export function turnKindOf({ attempts }: Pick<Import, 'attempts'>): TurnKind {
  return attempts === 0 ? 'first' : 'later';
}

/** The turn is over and another import waits; this one continues in its next turn. */
export class TurnOverError extends Error {
  constructor() {
    super('another import has its turn');
    this.name = 'TurnOverError';
  }
}

const mostLengthenings = 3;

export function turnMsOf(
  found: Pick<Import, 'attempts'>,
  { firstTurnMs, laterTurnMs }: Pick<ImportLimits, 'firstTurnMs' | 'laterTurnMs'>,
): number {
  const { attempts } = found;
  return attempts === 0 ? firstTurnMs : laterTurnMs * Math.min(attempts, mostLengthenings);
}

type TurnLimits = Pick<
  ImportLimits,
  'firstTurnMs' | 'laterTurnMs' | 'turnCheckMs' | 'claimWithinMs' | 'itemMemory'
>;

/** Begins the turn of a claimed import, as it was before its claim. `signal` aborts with TurnOverError. */
export function beginTurn(
  ctx: Context,
  found: Pick<Import, 'id' | 'attempts'>,
  limits: TurnLimits,
): Disposable & { readonly signal: AbortSignal } {
  const over = new AbortController();
  const turnMs = turnMsOf(found, limits);
  let timer = setTimeout(check, turnMs);
  let isDisposed = false;
  async function check(): Promise<void> {
    try {
      if (await isOver(ctx, found, turnMs, limits)) return over.abort(new TurnOverError());
    } catch (error) {
      ctx.log.warn({ err: error, importId: found.id }, 'the queue of imports was not read');
    }
    if (!isDisposed) timer = setTimeout(check, limits.turnCheckMs);
  }
  return {
    signal: over.signal,
    [Symbol.dispose]: () => {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}

/** Whether another import waits for the place or the memory of one that has had its time. */
async function isOver(
  ctx: Context,
  found: Pick<Import, 'id' | 'attempts'>,
  turnMs: number,
  { claimWithinMs, itemMemory }: TurnLimits,
): Promise<boolean> {
  const heldMs = itemMemory.heldMs(found.id);
  if (heldMs !== undefined) {
    // It may have waited for its memory until a moment ago.
    if (heldMs < turnMs) return false;
    // What waits for memory has a place, so the queue does not show it.
    if (itemMemory.isWaitedFor) return true;
  }
  const since = new Date(ctx.clock.now().getTime() - claimWithinMs);
  return await isAnotherWaiting(ctx.db, turnKindOf(found), { besides: found.id, since });
}
