import { isUniqueViolation } from '../../platform/database/sql-errors.ts';
import { requireUser } from '../actor.ts';
import type { Context } from '../context.ts';
import { DomainError, invalid } from '../errors.ts';
import { updateUser } from './accounts.sql.ts';
import { addressTaken } from './create-user.ts';
import { checkName } from './user.ts';

export async function changeName(ctx: Context, { name }: { name: string }): Promise<void> {
  const userId = requireUser(ctx.actor);
  const details = checkName(name);
  if (details.length > 0) throw new DomainError('invalid', 'This cannot be a name.', { details });
  await updateUser(ctx.db, userId, { name: name.trim() });
}

/** `version`: the terms that the user was shown, which must be the ones in force. */
export async function acceptTerms(ctx: Context, { version }: { version: string }): Promise<void> {
  const userId = requireUser(ctx.actor);
  if (version !== ctx.installation.terms?.version) {
    throw invalid('version', 'These are not the terms in force. Read those, please.');
  }
  await updateUser(ctx.db, userId, { acceptedTerms: version });
}

/** For whoever has proven that the address is the user's. */
export async function setEmail(ctx: Context, userId: string, email: string): Promise<void> {
  try {
    await updateUser(ctx.db, userId, { email });
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email')) throw error;
    throw addressTaken(email);
  }
}

/** For whoever has proven to be the user; what else ends with a password is not done here. */
export async function setPassword(
  ctx: Context,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await updateUser(ctx.db, userId, { passwordHash });
}
