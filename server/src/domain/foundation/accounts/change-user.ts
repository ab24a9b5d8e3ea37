import { isUniqueViolation } from '../../../platform/database/sql-errors.ts';
import type { Context } from '../context.ts';
import { invalid, refuseWrong } from '../errors.ts';
import { requireUser } from '../principal.ts';
import { sayRefusal } from '../refusals.ts';
import { updateUser } from './accounts.sql.ts';
import { addressTaken } from './create-user.ts';
import { checkName } from './user.ts';

export async function changeName(ctx: Context, { name }: { name: string }): Promise<void> {
  const userId = requireUser(ctx);
  refuseWrong('This name cannot be used.', checkName(name));
  await updateUser(ctx.db, userId, { name: name.trim() });
}

/** `version`: the terms that the user saw; they must be the current ones. */
export async function acceptTerms(ctx: Context, { version }: { version: string }): Promise<void> {
  const userId = requireUser(ctx);
  if (version !== ctx.installation.terms?.version) {
    throw invalid('version', sayRefusal('terms_changed'));
  }
  await updateUser(ctx.db, userId, { acceptedTerms: version });
}

/** The caller has verified that the email address is the user's. */
export async function setEmail(ctx: Context, userId: string, email: string): Promise<void> {
  try {
    await updateUser(ctx.db, userId, { email });
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email')) throw error;
    throw addressTaken(email);
  }
}

/** The caller has authenticated the user, and ends sessions and keys itself. */
export async function setPassword(
  ctx: Context,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await updateUser(ctx.db, userId, { passwordHash });
}
