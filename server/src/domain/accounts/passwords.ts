import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** argon2id with the library's defaults (19 MiB, 2 passes: OWASP's first choice), off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}

let nobodys: Promise<string> | undefined;

/** Of a password that nobody knows: what is verified where there is no user, in the same time. */
export function nobodysPasswordHash(): Promise<string> {
  nobodys ??= hashPassword(randomBytes(32).toString('base64url'));
  return nobodys;
}
