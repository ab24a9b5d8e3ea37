import { newId } from '../../lib/uuid.ts';
import { livenessOf, ownIdentity } from '../../platform/database/process-identity.ts';
import type { Context } from '../context.ts';
import type { Import, ImportHolder, ImportLease } from './import.ts';
import { leaseMs, leaseRenewalMs } from './import-limits.ts';
import type { ImportProgress } from './import-report.ts';
import { releaseImport, renewImport } from './imports.sql.ts';

/** Another process goes on with the import: this one leaves everything as it is. */
export class LeaseLostError extends Error {
  constructor() {
    super('another process has taken the import over');
    this.name = 'LeaseLostError';
  }
}

export function newLease(ctx: Context): ImportLease {
  return leaseOf(ctx, { ...ownIdentity(), run: newId() });
}

/** Nobody carries it out: given back, run out, or left by a process that is known to be dead. */
export function isAbandoned(ctx: Context, { lease }: Pick<Import, 'lease'>): boolean {
  if (lease === null || lease.until < ctx.clock.now()) return true;
  return livenessOf(lease.holder) === 'dead';
}

/** An import in this process's hands, until it is disposed of. */
export interface HeldImport extends Disposable {
  readonly holder: ImportHolder;
  /** Aborts with the caller's signal, or with LeaseLostError. */
  readonly signal: AbortSignal;
  /** Kept with the next renewal, for those who watch from elsewhere. */
  note(progress: ImportProgress): void;
}

/** Renews the lease in the background; what is done with the import watches `signal`. */
export function holdImport(
  ctx: Context,
  importId: string,
  { holder }: ImportLease,
  options: { readonly progress: ImportProgress; readonly signal?: AbortSignal | undefined },
): HeldImport {
  const lost = new AbortController();
  let { progress } = options;
  let isRenewing = false;
  let believedUntilMs = performance.now() + leaseMs;
  const renew = async (): Promise<void> => {
    const askedAtMs = performance.now();
    const lease = leaseOf(ctx, holder);
    const isMine = await renewImport(ctx.db, importId, lease, progress, ctx.clock.now());
    if (isMine) believedUntilMs = askedAtMs + leaseMs;
    else lost.abort(new LeaseLostError());
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
  }, leaseRenewalMs);
  timer.unref();
  const signals = options.signal === undefined ? [] : [options.signal];
  return {
    holder,
    signal: AbortSignal.any([lost.signal, ...signals]),
    note: (next) => {
      progress = next;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/**
 * For another process, or a later one, to go on with at once. When something went wrong it counts
 * as an attempt, so that what can never succeed ends some day.
 */
export function restImport(ctx: Context, importId: string, held: HeldImport): Promise<void> {
  const isOrderly = held.signal.aborted;
  return releaseImport(ctx.db, importId, held.holder, { isOrderly, now: ctx.clock.now() });
}

function leaseOf(ctx: Context, holder: ImportHolder): ImportLease {
  return { holder, until: new Date(ctx.clock.now().getTime() + leaseMs) };
}
