import pLimit from 'p-limit';
import { DomainError } from '../errors.ts';

const retryAfterSeconds = 5;

/**
 * Limits how many tasks run at once. Further tasks wait in a queue; when it is full, they are
 * refused.
 */
export function createTurns({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }) {
  const turns = pLimit(atOnce);
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (turns.pendingCount >= mostWaiting) {
      const message = 'Too many people are signing in at the moment. Try again shortly.';
      throw new DomainError('service_unavailable', message, { retryAfterSeconds });
    }
    return turns(work);
  };
}
