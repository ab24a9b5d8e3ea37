import { isSameEmail } from '../../../lib/email-address.ts';
import type { Context } from '../context.ts';
import { DomainError, requireFound } from '../errors.ts';
import { requireUser } from '../principal.ts';
import {
  selectAccount,
  selectAccountOfUser,
  selectAnyUser,
  selectCredentials,
  selectUser,
  selectUserByEmail,
  selectUserForUpdate,
  selectUserOfAccount,
} from './accounts.sql.ts';
import type { Account, User } from './user.ts';

export async function findUserByEmail(ctx: Context, email: string): Promise<User | undefined> {
  return ifSame(email, await selectUserByEmail(ctx.db, email));
}

/**
 * Undefined for another address that the database lower-cases to that of the user, for instance with
 * `İ` instead of `i`: attempts with it would not count as those with the address of the user.
 */
function ifSame<Found extends User>(email: string, user: Found | undefined): Found | undefined {
  return user !== undefined && isSameEmail(email, user.email) ? user : undefined;
}

export async function getUserByEmail(ctx: Context, email: string): Promise<User> {
  const user = await findUserByEmail(ctx, email);
  if (user === undefined) {
    throw new DomainError('not_found', `There is no user with the email address ${email}.`);
  }
  return user;
}

export function findUser(ctx: Context, userId: string): Promise<User | undefined> {
  return selectUser(ctx.db, userId);
}

/** The owner of the account. */
export function findUserOfAccount(ctx: Context, accountId: string): Promise<User | undefined> {
  return selectUserOfAccount(ctx.db, accountId);
}

export async function getUser(ctx: Context, userId: string): Promise<User> {
  return requireFound(await findUser(ctx, userId), 'user');
}

/** For password verification only; the hash goes nowhere else. */
export async function findCredentials(
  ctx: Context,
  email: string,
): Promise<(User & { readonly passwordHash: string }) | undefined> {
  return ifSame(email, await selectCredentials(ctx.db, email));
}

/**
 * Locks a user until the transaction ends, which serializes changes of their password and keys.
 * Users are locked before podcasts, and podcasts before keys, so there are no deadlocks.
 */
export async function lockUser(
  tx: Context,
  userId: string,
): Promise<User & { readonly passwordHash: string }> {
  const user = await selectUserForUpdate(tx.db, userId);
  if (user === undefined) throw new DomainError('not_found', 'There is no such user.');
  return user;
}

/** False: nobody has set the installation up yet. */
export function hasUsers(ctx: Context): Promise<boolean> {
  return selectAnyUser(ctx.db);
}

/** Of the user who is signed in. */
export async function getOwnAccount(ctx: Context): Promise<Account> {
  return requireFound(await selectAccountOfUser(ctx.db, requireUser(ctx)), 'account');
}

export async function getAccount(ctx: Context, accountId: string): Promise<Account> {
  return requireFound(await selectAccount(ctx.db, accountId), 'account');
}
