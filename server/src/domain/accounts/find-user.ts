import type { Context } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import {
  selectCredentials,
  selectUser,
  selectUserByEmail,
  selectUserOfAccount,
} from './accounts.sql.ts';
import type { User } from './user.ts';

export function findUserByEmail(ctx: Context, email: string): Promise<User | undefined> {
  return selectUserByEmail(ctx.db, email);
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
  const user = await findUser(ctx, userId);
  if (user === undefined) throw notFound('user');
  return user;
}

/** For password verification only; the hash goes nowhere else. */
export function findCredentials(
  ctx: Context,
  email: string,
): Promise<(User & { readonly passwordHash: string }) | undefined> {
  return selectCredentials(ctx.db, email);
}
