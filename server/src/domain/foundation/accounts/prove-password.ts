import type { Context } from '../context.ts';
import { type DomainError, invalid } from '../errors.ts';
import { sayRefusal } from '../refusals.ts';
import { selectPasswordHash } from './accounts.sql.ts';
import { type AttemptLimit, consumeAttempt } from './attempts.ts';
import { lockUser } from './find-user.ts';
import { nobodysPasswordHash, verifyPassword } from './passwords.ts';
import type { User } from './user.ts';

// Correct passwords count too, so the limit exceeds what anyone needs in a quarter of an hour.
const perUser: AttemptLimit = { name: 'current password', most: 30, windowMs: 15 * 60_000 };

/** Proof that the user gave the password with this hash. */
export interface PasswordProof {
  readonly userId: string;
  readonly passwordHash: string;
}

/**
 * Refuses a missing or wrong current password (`current_password`), and further attempts after thirty in 15
 * minutes. Call it before the transaction, and `lockProvenUser` inside it.
 */
export async function proveCurrentPassword(
  ctx: Context,
  userId: string,
  password: string,
): Promise<PasswordProof> {
  if (password === '') {
    throw invalid('current_password', sayRefusal('password_missing'), 'password_missing');
  }
  await consumeAttempt(ctx, [perUser, userId]);
  const stored = await selectPasswordHash(ctx.db, userId);
  const passwordHash = stored ?? (await nobodysPasswordHash());
  if (!(await verifyPassword(passwordHash, password, { userId })) || stored === undefined)
    throw wrongPassword();
  return { userId, passwordHash };
}

/**
 * Locks the user's row until the transaction ends, and refuses if the password has changed since
 * the proof.
 */
export async function lockProvenUser(tx: Context, proof: PasswordProof): Promise<User> {
  const { passwordHash, ...user } = await lockUser(tx, proof.userId);
  if (passwordHash !== proof.passwordHash) throw wrongPassword();
  return user;
}

function wrongPassword(): DomainError {
  return invalid('current_password', sayRefusal('wrong_password'), 'wrong_password');
}
