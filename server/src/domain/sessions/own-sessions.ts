import { requireUser } from '../actor.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Session } from './session.ts';
import { deleteSession, deleteSessionsOfUser, selectSessions } from './sessions.sql.ts';

/** Where the user is signed in, the last used first. */
export function listSessions(ctx: Context): Promise<readonly Session[]> {
  return selectSessions(ctx.db, requireUser(ctx.actor), ctx.clock.now());
}

/** Signs one of the user's browsers out. */
export async function endSession(ctx: Context, sessionId: string): Promise<void> {
  if (!(await deleteSession(ctx.db, requireUser(ctx.actor), sessionId))) throw notFound('session');
}

/** Signs the user out everywhere but here. */
export async function endOtherSessions(ctx: Context, keptSessionId: string): Promise<void> {
  await deleteSessionsOfUser(ctx.db, requireUser(ctx.actor), keptSessionId);
}
