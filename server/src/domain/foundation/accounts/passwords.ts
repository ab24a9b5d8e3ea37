import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { DomainError } from '../errors.ts';

const retryAfterSeconds = 5;

/**
 * Limits how many tasks run at once. Further tasks wait in a queue; when it is full, they are
 * refused.
 */
export function createBoundedQueue({
  atOnce,
  mostWaiting,
}: {
  atOnce: number;
  mostWaiting: number;
}) {
  const limit = pLimit(atOnce);
  return async function enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= mostWaiting) {
      const message = 'Too many people are signing in right now. Try again shortly.';
      throw new DomainError('service_unavailable', message, { retryAfterSeconds });
    }
    return limit(work);
  };
}

/**
 * Concurrent hashes. They run in Node's pool of four threads, which also reads files: two stay free
 * for audio and images, however many people sign in.
 */
const hashesAtOnce = 2;
/** About two seconds of work; further requests are asked to try again later. */
const mostWaiting = 200;
const hashingQueue = createBoundedQueue({ atOnce: hashesAtOnce, mostWaiting });

/** argon2id with the library's defaults (19 MiB, 2 passes: OWASP's first choice), off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return hashingQueue(() => hash(password));
}

export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return hashingQueue(() => verify(passwordHash, password));
}

let nobodys: Promise<string> | undefined;

/**
 * The hash of a random password. Verifying against it takes as long for a user that does not exist.
 */
export function nobodysPasswordHash(): Promise<string> {
  nobodys ??= hashPassword(randomBytes(32).toString('base64url'));
  return nobodys;
}
