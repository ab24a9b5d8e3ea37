import { tryHashSecretToken } from '../../../lib/secret-token.ts';
import type { Context } from '../../foundation/context.ts';
import { requireUser } from '../../foundation/principal.ts';
import { type FoundSession, renewalMs, sessionEnd } from './session.ts';
import { isSessionLive, useSession } from './sessions.sql.ts';

/**
 * The session of this token, which its use extends. One statement; none if the token is malformed.
 */
export async function findSession(ctx: Context, token: string): Promise<FoundSession | undefined> {
  const tokenHash = tryHashSecretToken(token);
  if (tokenHash === undefined) return undefined;
  const now = ctx.clock.now();
  const row = await useSession(ctx.db, tokenHash, now);
  if (row === undefined) return undefined;
  const isRenewed = now.getTime() - row.lastUsedAt.getTime() >= renewalMs;
  const used = isRenewed ? { ...row, lastUsedAt: now } : row;
  return { ...used, expiresAt: sessionEnd(used), isRenewed };
}

/** Whether the user's session has not ended. Asking does not extend it. */
export async function hasLiveSession(ctx: Context, sessionId: string): Promise<boolean> {
  return await isSessionLive(ctx.db, { sessionId, userId: requireUser(ctx) }, ctx.clock.now());
}
