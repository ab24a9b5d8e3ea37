import { hashSecretToken, newSecretToken, tryHashSecretToken } from '../../../lib/secret-token.ts';
import { newId } from '../../../lib/uuid.ts';
import { tagOf } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { notFound } from '../../foundation/errors.ts';
import { requireUser } from '../../foundation/principal.ts';
import { newDeviceToken } from './known-device.ts';
import {
  type Client,
  type FoundSession,
  renewalMs,
  type Session,
  type SignedIn,
  sessionEnd,
  shortUserAgent,
} from './session.ts';
import {
  deleteSession,
  deleteSessionsOfUser,
  deleteSurplusSessions,
  insertSession,
  isSessionLive,
  selectSessions,
  useSession,
} from './sessions.sql.ts';

/** The user's sessions, the most recently used first. */
export function listSessions(ctx: Context): Promise<readonly Session[]> {
  return selectSessions(ctx.db, requireUser(ctx), ctx.clock.now());
}

/** Ends one session of the user. */
export async function endSession(ctx: Context, sessionId: string): Promise<void> {
  if (!(await deleteSession(ctx.db, requireUser(ctx), sessionId))) throw notFound('session');
}

/** Ends all other sessions of the user. */
export async function endOtherSessions(ctx: Context, keptSessionId: string): Promise<void> {
  await deleteSessionsOfUser(ctx.db, requireUser(ctx), keptSessionId);
}

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
  const deviceToken = newDeviceToken(ctx, user.userId);
  return { token, session: { ...row, expiresAt: sessionEnd(row) }, deviceToken };
}

export function networkTagOf(ctx: Context, client: Client): Buffer {
  return tagOf(ctx, 'session network', client.network);
}
