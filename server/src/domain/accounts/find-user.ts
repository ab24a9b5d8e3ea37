import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { selectUserByEmail } from './accounts.sql.ts';
import type { User } from './user.ts';

export function findUserByEmail(ctx: Context, email: string): Promise<User | undefined> {
  return selectUserByEmail(ctx.db, email);
}

export async function getUserByEmail(ctx: Context, email: string): Promise<User> {
  const user = await findUserByEmail(ctx, email);
  if (user === undefined) {
    throw new DomainError('not_found', `There is no user with the address ${email}.`);
  }
  return user;
}
