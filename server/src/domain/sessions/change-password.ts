import { formatMoment } from '../../lib/time.ts';
import {
  checkPassword,
  findUserByEmail,
  hashPassword,
  holdProof,
  holdUser,
  proveCurrentPassword,
  setPassword,
  type User,
} from '../accounts/index.ts';
import { requireUser } from '../actor.ts';
import { type Context, transact } from '../context.ts';
import { DomainError, linkExpired } from '../errors.ts';
import { revokeAllKeys } from '../keys/index.ts';
import { queueLetter } from '../letters/index.ts';
import { createSession } from './create-session.ts';
import { findLink, takeLink } from './letter-link.ts';
import { deleteLinksOfAddress, deleteLinksOfUser } from './letter-links.sql.ts';
import type { Client, SignedIn } from './session.ts';
import { deleteSessionsOfUser } from './sessions.sql.ts';

/**
 * Ends every session of the user, and every key, and begins a session in the place of the one that
 * asks: whoever has a copy of its cookie is out as well.
 */
export async function changePassword(
  ctx: Context,
  input: { readonly currentPassword: string; readonly password: string; readonly client: Client },
): Promise<SignedIn> {
  const userId = requireUser(ctx.actor);
  refuseBadPassword(input.password);
  const proof = await proveCurrentPassword(ctx, userId, input.currentPassword);
  const passwordHash = await hashPassword(input.password);
  return transact(ctx, async (tx) => {
    const user = await holdProof(tx, proof);
    return replacePassword(tx, user, passwordHash, input.client);
  });
}

/**
 * By the letter's link; ends every session of the user, and every key, and begins a session: so
 * that whoever keeps failing to sign in as somebody keeps nobody out.
 */
export async function resetPassword(
  ctx: Context,
  input: { readonly token: string; readonly password: string; readonly client: Client },
): Promise<SignedIn> {
  refuseBadPassword(input.password);
  const link = await findLink(ctx, 'reset_password', input.token);
  const found = link && (await findUserByEmail(ctx, link.email));
  if (found === undefined) throw linkExpired();
  const passwordHash = await hashPassword(input.password);
  return transact(ctx, async (tx) => {
    // Held first: whoever changes the user's address meanwhile has deleted the link.
    const user = await holdUser(tx, found.id);
    await takeLink(tx, 'reset_password', input.token);
    return replacePassword(tx, user, passwordHash, input.client);
  });
}

/** With the password goes whatever it opened, and whatever could open the account without it. */
async function replacePassword(
  tx: Context,
  { id: userId, name, email }: User,
  passwordHash: string,
  client: Client,
): Promise<SignedIn> {
  // First, since it holds the row: a session that is begun meanwhile with the old password is
  // either waited for, and ended here, or finds the new one.
  await setPassword(tx, userId, passwordHash);
  await deleteLinksOfUser(tx.db, userId);
  await deleteLinksOfAddress(tx.db, 'reset_password', email);
  await deleteSessionsOfUser(tx.db, userId);
  // Whoever opened the letter has proven to be the user.
  await revokeAllKeys({ ...tx, actor: { kind: 'user', userId } }, userId);
  const at = formatMoment(tx.clock.now());
  await queueLetter(tx, { template: 'password-changed', to: email, values: { name, at } });
  const signedIn = await createSession(tx, { userId, passwordHash }, client);
  if (signedIn === undefined) throw new Error('a password just set is another');
  return signedIn;
}

function refuseBadPassword(password: string): void {
  const details = checkPassword(password);
  if (details.length > 0) throw new DomainError('invalid', 'This is no password.', { details });
}
