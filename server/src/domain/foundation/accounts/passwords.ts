import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { ProcessError } from '../../../platform/processes/job.ts';
import { Turns } from '../../../platform/processes/turns.ts';
import { DomainError } from '../errors.ts';

const retryAfterSeconds = 5;

/**
 * Limits how many tasks run at once. Further tasks wait in a queue, in which clients take turns; when it is
 * full, the last task of the client with the most is refused.
 */
export function createBoundedQueue({
  atOnce,
  mostWaiting,
}: {
  atOnce: number;
  mostWaiting: number;
}) {
  const owner = 'everybody';
  const turns = new Turns(atOnce, { mostOfOwner: atOnce, mostWaitingOfOwner: mostWaiting });
  const begin = (client: string) =>
    turns.take({ owner, client }).catch((error: unknown) => {
      if (!(error instanceof ProcessError)) throw error;
      const message = 'Too many people are signing in right now. Try again shortly.';
      throw new DomainError('service_unavailable', message, { retryAfterSeconds });
    });
  return async function enqueue<T>(client: string, work: () => Promise<T>): Promise<T> {
    using _turn = await begin(client);
    return await work();
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

/** Whose turns hashing takes: a signed-in user's, or those of a client's addresses (`blockOfNetwork`). */
export type HashingClient = { readonly userId: string } | { readonly block: string } | 'operator';

const nameOf = (client: HashingClient) => JSON.stringify(client);

/** argon2id with the library's defaults (19 MiB, 2 passes: OWASP's first choice), off the main thread. */
export function hashPassword(password: string, client: HashingClient): Promise<string> {
  return hashingQueue(nameOf(client), () => hash(password));
}

export function verifyPassword(
  passwordHash: string,
  password: string,
  client: HashingClient,
): Promise<boolean> {
  return hashingQueue(nameOf(client), () => verify(passwordHash, password));
}

let nobodys: Promise<string> | undefined;

/**
 * The hash of a random password. Verifying against it takes as long for a user that does not exist.
 */
export function nobodysPasswordHash(): Promise<string> {
  nobodys ??= hash(randomBytes(32).toString('base64url'));
  return nobodys;
}
