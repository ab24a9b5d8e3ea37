import { newId } from '../../../lib/uuid.ts';
import { isUniqueViolation } from '../../../platform/database/sql-errors.ts';
import { type Context, transact } from '../context.ts';
import type { PlanState } from '../enumerations.ts';
import { type DomainError, invalid, refuseWrong } from '../errors.ts';
import { sayRefusal } from '../refusals.ts';
import { insertAccount, insertUser } from './accounts.sql.ts';
import { hashPassword } from './passwords.ts';
import { checkNewUser, type NewUser, type User } from './user.ts';

/** A valid user with a hashed password, ready to be stored. */
export interface PreparedUser extends User {
  readonly plan: string;
  readonly planState: PlanState;
  readonly passwordHash: string;
  readonly acceptedTerms: string | undefined;
}

/** Creates a user and their account. Refuses an email address that is taken, in any case. */
export async function createUser(ctx: Context, input: NewUser): Promise<User> {
  const { id, accountId, email, name } = await storeUser(ctx, await prepareUser(ctx, input));
  return { id, accountId, email, name };
}

/** Reports every wrong field. Hashing is slow, so call it before the transaction. */
export async function prepareUser(ctx: Context, input: NewUser): Promise<PreparedUser> {
  refuseWrong('The user was not created.', checkNewUser(input));
  const { defaultPlan, terms } = ctx.installation;
  return {
    id: newId(),
    accountId: newId(),
    email: input.email,
    name: input.name?.trim() ?? input.email.slice(0, input.email.lastIndexOf('@')),
    plan: input.plan ?? defaultPlan,
    planState: input.planState ?? 'active',
    passwordHash: await hashPassword(input.password),
    acceptedTerms: input.acceptsTerms === false ? undefined : terms?.version,
  };
}

export async function storeUser(ctx: Context, user: PreparedUser): Promise<PreparedUser> {
  const createdAt = ctx.clock.now();
  const { plan, planState, ...person } = user;
  try {
    await transact(ctx, async (tx) => {
      await insertAccount(tx.db, { id: user.accountId, plan, planState, createdAt });
      await insertUser(tx.db, { ...person, createdAt });
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email')) throw error;
    throw addressTaken(user.email);
  }
  return user;
}

export function addressTaken(email: string): DomainError {
  return invalid('email', sayRefusal('address_taken', { email }), 'address_taken');
}
