import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { ProcessError } from '../../../platform/processes/job.ts';
import { type Claim, Turns } from '../../../platform/processes/turns.ts';
import { DomainError } from '../errors.ts';

const retryAfterSeconds = 5;

/**
 * Limits how many tasks run at once. Further tasks wait in two queues, which take turns: strangers, who can have
 * any number of addresses, and all others. Clients take turns in each; when it is full, the last task of the client
 * with the most is refused. A task whose client has left (`left`) doesn't begin.
 */
export function createBoundedQueue({
  atOnce,
  mostWaiting,
}: {
  atOnce: number;
  mostWaiting: number;
}) {
  const turns = new Turns(atOnce, { mostOfOwner: atOnce, mostWaitingOfOwner: mostWaiting });
  const begin = (client: HashingClient, left: AbortSignal | undefined) =>
    turns.take({ ...claimOf(client), signal: left }).catch((error: unknown) => {
      if (!(error instanceof ProcessError)) throw error;
      const message = 'Too many people are signing in right now. Try again shortly.';
      throw new DomainError('service_unavailable', message, { retryAfterSeconds });
    });
  return async function enqueue<T>(
    client: HashingClient,
    left: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    using _turn = await begin(client, left);
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

/**
 * Whose turns hashing takes: those of a user who is signed in, or whose browser or place is known; or those of a
 * stranger's addresses (`blockOfNetwork`).
 */
export type HashingClient = { readonly userId: string } | { readonly block: string } | 'operator';

function claimOf(client: HashingClient): Claim {
  if (client === 'operator') return { owner: 'known', client };
  if ('userId' in client) return { owner: 'known', client: client.userId };
  return { owner: 'strangers', client: client.block };
}

/**
 * argon2id with the library's defaults (19 MiB, 2 passes: OWASP's first choice), off the main thread. Doesn't begin
 * when `left` has aborted.
 */
export function hashPassword(
  password: string,
  client: HashingClient,
  left?: AbortSignal,
): Promise<string> {
  return hashingQueue(client, left, () => hash(password));
}

/** The same as for hashing. */
export function verifyPassword(
  passwordHash: string,
  password: string,
  client: HashingClient,
  left?: AbortSignal,
): Promise<boolean> {
  return hashingQueue(client, left, () => verify(passwordHash, password));
}

let nobodys: Promise<string> | undefined;

/**
 * The hash of a random password. Verifying against it takes as long for a user that does not exist.
 */
export function nobodysPasswordHash(): Promise<string> {
  nobodys ??= hash(randomBytes(32).toString('base64url'));
  return nobodys;
}
