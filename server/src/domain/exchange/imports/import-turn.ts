import type { Context } from '../../foundation/context.ts';
import type { Import, TurnKind } from './import.ts';
import type { ImportLimits } from './import-limits.ts';
import { isAnotherWaiting } from './import-turns.sql.ts';

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

/** Begins the turn of a claimed import, as it was before its claim. `signal` aborts with TurnOverError. */
export function beginTurn(
  ctx: Context,
  found: Pick<Import, 'id' | 'attempts'>,
  limits: Pick<ImportLimits, 'firstTurnMs' | 'laterTurnMs' | 'turnCheckMs' | 'claimWithinMs'>,
): Disposable & { readonly signal: AbortSignal } {
  const kind = turnKindOf(found);
  const over = new AbortController();
  let timer = setTimeout(check, turnMsOf(found, limits));
  let isDisposed = false;
  async function check(): Promise<void> {
    try {
      const since = new Date(ctx.clock.now().getTime() - limits.claimWithinMs);
      if (await isAnotherWaiting(ctx.db, kind, { besides: found.id, since }))
        return over.abort(new TurnOverError());
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
