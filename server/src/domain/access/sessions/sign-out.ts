import { tryHashSecretToken } from '../../../lib/secret-token.ts';
import type { Context } from '../../foundation/context.ts';
import { deleteSessionByToken } from './sessions.sql.ts';

/** Ends the session of this token; without effect if there is none. */
export async function signOut(ctx: Context, token: string): Promise<void> {
  const tokenHash = tryHashSecretToken(token);
  if (tokenHash !== undefined) await deleteSessionByToken(ctx.db, tokenHash);
}
