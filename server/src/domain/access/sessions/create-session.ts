import { hashSecretToken, newSecretToken } from '../../../lib/secret-token.ts';
import { newId } from '../../../lib/uuid.ts';
import { tagOf } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { type Client, type SignedIn, sessionEnd, shortUserAgent } from './session.ts';
import { deleteSurplusSessions, insertSession } from './sessions.sql.ts';

/**
 * Starts a session for a user whose password was verified against this hash or just set to it;
 * undefined if the password has changed since.
 */
export async function createSession(
  ctx: Context,
  user: { readonly userId: string; readonly passwordHash: string },
  client: Client,
): Promise<SignedIn | undefined> {
  const token = newSecretToken();
  const now = ctx.clock.now();
  const row = {
    id: newId(),
    userId: user.userId,
    userAgent: shortUserAgent(client),
    createdAt: now,
    lastUsedAt: now,
  };
  const isCreated = await insertSession(ctx.db, {
    ...row,
    tokenHash: hashSecretToken(token),
    networkTag: networkTagOf(ctx, client),
    passwordHash: user.passwordHash,
  });
  if (!isCreated) return undefined;
  await deleteSurplusSessions(ctx.db, user.userId);
  return { token, session: { ...row, expiresAt: sessionEnd(row) } };
}

export function networkTagOf(ctx: Context, client: Client): Buffer {
  return tagOf(ctx, 'session network', client.network);
}
