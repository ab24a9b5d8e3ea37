import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}$/;

/**
 * 32 random bytes in base64url, for a cookie or a link in an email. The database never holds them.
 */
export function newSecretToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The SHA-256 that is stored; undefined if the text is not a token. */
export function tryHashSecretToken(text: string): Buffer | undefined {
  return FORM.test(text) ? hashSecretToken(text) : undefined;
}

/** The SHA-256 of a token from `newSecretToken`. */
export function hashSecretToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
