import type { Context } from '../context.ts';
import { type DomainError, invalid } from '../errors.ts';
import { selectPasswordHash } from './accounts.sql.ts';
import { type AttemptLimit, giveAttemptBack, takeAttempt } from './attempts.ts';
import { holdUser } from './hold-user.ts';
import { nobodysPasswordHash, verifyPassword } from './passwords.ts';
import type { User } from './user.ts';

// Counted while it is looked at, a right one too: so it is more than anyone gives at once.
const perUser: AttemptLimit = { name: 'current password', most: 30, windowMs: 15 * 60_000 };

/** That a user gave the password which this is the hash of. */
export interface PasswordProof {
  readonly userId: string;
  readonly passwordHash: string;
}

/**
 * Refuses whoever does not know the user's password (`current_password`), and, for the rest of 15
 * minutes, whoever failed thirty times. Not for within a transaction: that is where `holdProof` is for.
 */
export async function proveCurrentPassword(
  ctx: Context,
  userId: string,
  password: string,
): Promise<PasswordProof> {
  const attempt = [perUser, userId] as const;
  await takeAttempt(ctx, attempt);
  const stored = await selectPasswordHash(ctx.db, userId);
  const passwordHash = stored ?? (await nobodysPasswordHash());
  if (!(await verifyPassword(passwordHash, password)) || stored === undefined)
    throw wrongPassword();
  await giveAttemptBack(ctx, attempt);
  return { userId, passwordHash };
}

/**
 * In the transaction of what was proven for: holds the user's row to its end, and refuses when the
 * password was changed between the proof and now.
 */
export async function holdProof(tx: Context, proof: PasswordProof): Promise<User> {
  const { passwordHash, ...user } = await holdUser(tx, proof.userId);
  if (passwordHash !== proof.passwordHash) throw wrongPassword();
  return user;
}

function wrongPassword(): DomainError {
  return invalid('current_password', 'This is not your current password.', 'wrong_password');
}
