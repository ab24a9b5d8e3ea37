import {
  checkPassword,
  findUserByEmail,
  hashPassword,
  lockProvenUser,
  lockUser,
  proveCurrentPassword,
  setPassword,
  type User,
} from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { queueEmail } from '../../foundation/emails/index.ts';
import { refuseWrong, requireLink } from '../../foundation/errors.ts';
import { requireOperator, requireUser } from '../../foundation/principal.ts';
import { deleteOffersOf } from '../../publishing/podcasts/index.ts';
import { revokeAllKeys } from '../keys/index.ts';
import { attemptLink, consumeLink, findLink } from './email-link.ts';
import { deleteLinksOfAddress, deleteLinksOfUser } from './email-links.sql.ts';
import { createSession } from './own-sessions.ts';
import { type Client, hashingClientOf, type SignedIn } from './session.ts';
import { deleteSessionsOfUser } from './sessions.sql.ts';

/**
 * Ends all sessions and keys of the user and starts a new session for the requester, so that a
 * stolen cookie is useless too.
 */
export async function changePassword(
  ctx: Context,
  input: { readonly currentPassword: string; readonly password: string; readonly client: Client },
): Promise<SignedIn> {
  const userId = requireUser(ctx);
  refuseBadPassword(input.password);
  const proof = await proveCurrentPassword(ctx, userId, input.currentPassword);
  const passwordHash = await hashPassword(input.password, { userId });
  return transact(ctx, async (tx) => {
    const user = await lockProvenUser(tx, proof);
    return replacePassword(tx, user, passwordHash, input.client);
  });
}

/**
 * By a link from an email. Ends all sessions and keys and starts a session. An attacker who
 * exhausts the sign-in limit therefore cannot lock the user out.
 */
export async function resetPassword(
  ctx: Context,
  input: { readonly token: string; readonly password: string; readonly client: Client },
): Promise<SignedIn> {
  refuseBadPassword(input.password);
  const link = await findLink(ctx, 'reset_password', input.token);
  const found = requireLink(link && (await findUserByEmail(ctx, link.email)));
  await attemptLink(ctx, input.token);
  const hashingClient = hashingClientOf(input.client);
  const passwordHash = await hashPassword(input.password, hashingClient, ctx.abandoned);
  return transact(ctx, async (tx) => {
    // Locks first: a concurrent change of the address has deleted the link.
    const user = await lockUser(tx, found.id);
    await consumeLink(tx, 'reset_password', input.token);
    return replacePassword(tx, user, passwordHash, input.client);
  });
}

/** By the operator, at the user's request. Ends all sessions and keys of the user. */
export async function setUserPassword(
  ctx: Context,
  input: { readonly userId: string; readonly password: string },
): Promise<User> {
  requireOperator(ctx);
  refuseBadPassword(input.password);
  const passwordHash = await hashPassword(input.password, 'operator');
  return transact(ctx, async (tx) => {
    const { id, accountId, name, email } = await lockUser(tx, input.userId);
    const user = { id, accountId, name, email };
    await endWithPassword(tx, user, passwordHash);
    return user;
  });
}

/** Like `endWithPassword`, and starts a new session for the requester. */
async function replacePassword(
  tx: Context,
  user: User,
  passwordHash: string,
  client: Client,
): Promise<SignedIn> {
  await endWithPassword(tx, user, passwordHash);
  const signedIn = await createSession(tx, { userId: user.id, passwordHash }, client);
  if (signedIn === undefined) throw new Error('the password changed within its own transaction');
  return signedIn;
}

/** Ends everything that the password gave access to, and everything that could bypass it. */
async function endWithPassword(
  tx: Context,
  { id: userId, name, email }: User,
  passwordHash: string,
): Promise<void> {
  // First, because it locks the row: a concurrent sign-in with the old password either finishes
  // before, and ends here, or fails.
  await setPassword(tx, userId, passwordHash);
  await deleteLinksOfUser(tx.db, userId);
  await deleteLinksOfAddress(tx.db, 'reset_password', email);
  await deleteSessionsOfUser(tx.db, userId);
  // Whoever had the password may have made them for themselves.
  await deleteOffersOf(tx.db, userId);
  // The caller is authenticated as the user, or is the operator.
  await revokeAllKeys({ ...tx, principal: { kind: 'user', userId } }, userId);
  const at = tx.clock.now();
  await queueEmail(tx, { template: 'password-changed', to: email, values: { name, at } });
}

function refuseBadPassword(password: string): void {
  refuseWrong('This password cannot be used.', checkPassword(password));
}
