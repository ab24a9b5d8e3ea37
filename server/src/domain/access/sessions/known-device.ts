import { randomBytes, timingSafeEqual } from 'node:crypto';
import { tagOf } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';

/**
 * Proves that a user has signed in with this browser. It outlives the session, so that strangers who use up the
 * attempts of an email address don't lock out its owner. It is worth some attempts and no access; nothing is stored.
 */
export function newDeviceToken(ctx: Context, userId: string): string {
  return tokenOf(ctx, userId, randomBytes(16).toString('base64url'));
}

/** Whether the token was made for this user. */
export function isDeviceOf(ctx: Context, userId: string, token: string): boolean {
  const [id = ''] = token.split('.', 1);
  const [given, expected] = [Buffer.from(token), Buffer.from(tokenOf(ctx, userId, id))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function tokenOf(ctx: Context, userId: string, id: string): string {
  return `${id}.${tagOf(ctx, 'known device', userId, id).toString('base64url')}`;
}
