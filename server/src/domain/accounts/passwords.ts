import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { createTurns } from './turns.ts';

/**
 * Concurrent hashes. They run in Node's pool of four threads, which also reads files: two stay free
 * for audio and images, however many people sign in.
 */
const hashesAtOnce = 2;
/** About two seconds of work; further requests are asked to try again later. */
const mostWaiting = 200;
const inTurn = createTurns({ atOnce: hashesAtOnce, mostWaiting });

/** argon2id with the library's defaults (19 MiB, 2 passes: OWASP's first choice), off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password));
}

export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash, password));
}

let nobodys: Promise<string> | undefined;

/**
 * The hash of a random password. Verifying against it takes as long for a user that does not exist.
 */
export function nobodysPasswordHash(): Promise<string> {
  nobodys ??= hashPassword(randomBytes(32).toString('base64url'));
  return nobodys;
}
