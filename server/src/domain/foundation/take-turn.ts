import { ProcessError } from '../../platform/processes/job.ts';
import type { Claim, Turns } from '../../platform/processes/turns.ts';
import { DomainError } from './errors.ts';

/** Runs what reads a whole show when it is the turn of its user. */
export type InTurn = <R>(read: () => Promise<R>) => Promise<R>;

/** For whoever takes no turns: commands, and the service itself. */
export const atOnce: InTurn = (read) => read();

/** Waits for a turn. Throws 503 with `message` if too many wait, and the reason of the claim's signal. */
export async function takeTurn(
  turns: Turns,
  claim: Claim,
  message: string,
  retryAfterSeconds = 5,
): Promise<Disposable> {
  try {
    return await turns.take(claim);
  } catch (error) {
    if (!(error instanceof ProcessError)) throw error;
    throw new DomainError('service_unavailable', message, { retryAfterSeconds });
  }
}
