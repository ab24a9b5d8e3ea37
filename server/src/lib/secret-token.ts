import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}$/;

/** 32 random bytes in base64url: what a cookie or a letter's link holds, and nothing else keeps. */
export function newSecretToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The SHA-256 it is kept under; undefined for what has not a token's form. */
export function tryHashSecretToken(text: string): Buffer | undefined {
  return FORM.test(text) ? hashSecretToken(text) : undefined;
}

/** Of one made by `newSecretToken`. */
export function hashSecretToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
