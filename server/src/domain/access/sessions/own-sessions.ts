import type { Context } from '../../foundation/context.ts';
import { notFound } from '../../foundation/errors.ts';
import { requireUser } from '../../foundation/principal.ts';
import type { Session } from './session.ts';
import { deleteSession, deleteSessionsOfUser, selectSessions } from './sessions.sql.ts';

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
