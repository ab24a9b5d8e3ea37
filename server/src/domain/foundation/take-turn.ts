import { ProcessError } from '../../platform/processes/job.ts';
import type { Claim, Turns } from '../../platform/processes/turns.ts';
import { DomainError } from './errors.ts';

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
