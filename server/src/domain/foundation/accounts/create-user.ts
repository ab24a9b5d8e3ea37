import type { Language } from '../../../lib/languages.ts';
import { type Page, toPage } from '../../../lib/list-page.ts';
import { newId } from '../../../lib/uuid.ts';
import { isUniqueViolation } from '../../../platform/database/sql-errors.ts';
import { type Context, transact } from '../context.ts';
import type { PlanState } from '../enumerations.ts';
import { type DomainError, invalid, refuseWrong } from '../errors.ts';
import { requireOperator, requireUser } from '../principal.ts';
import { sayRefusal } from '../refusals.ts';
import { insertAccount, insertUser, selectUserList, updateUser } from './accounts.sql.ts';
import { type HashingClient, hashPassword } from './passwords.ts';
import { getPlan } from './plans.ts';
import {
  checkName,
  checkNewUser,
  type ListedUser,
  type NewUser,
  type User,
  type UserPosition,
} from './user.ts';

/** A valid user with a hashed password, ready to be stored. */
export interface PreparedUser extends User {
  readonly plan: string;
  readonly planState: PlanState;
  readonly passwordHash: string;
  readonly acceptedTerms: string | undefined;
  /** Undefined if the request has none: the operator's. */
  readonly language: Language | undefined;
}

/** Creates a user and their account. Refuses an email address that is taken, in any case. */
export async function createUser(ctx: Context, input: NewUser): Promise<User> {
  const { id, accountId, email, name } = await storeUser(
    ctx,
    await prepareUser(ctx, input, 'operator'),
  );
  return { id, accountId, email, name };
}

/** Reports every wrong field. Hashing is slow, so call it before the transaction. It takes turns of `client`. */
export async function prepareUser(
  ctx: Context,
  input: NewUser,
  client: HashingClient,
): Promise<PreparedUser> {
  refuseWrong('The user was not created.', checkNewUser(input));
  const { defaultPlan, terms } = ctx.installation;
  return {
    id: newId(),
    accountId: newId(),
    email: input.email,
    name: input.name?.trim() ?? input.email.slice(0, input.email.lastIndexOf('@')),
    plan: input.plan ?? defaultPlan,
    planState: input.planState ?? 'active',
    passwordHash: await hashPassword(input.password, client, ctx.abandoned),
    acceptedTerms: input.acceptsTerms === false ? undefined : terms?.version,
    language: ctx.language,
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

function addressTaken(email: string): DomainError {
  return invalid('email', sayRefusal('address_taken', { email }), 'address_taken');
}

/** Changes what is given. The language is that of emails, pages and the app. */
export async function changeProfile(
  ctx: Context,
  { name, language }: { readonly name?: string; readonly language?: Language },
): Promise<void> {
  const userId = requireUser(ctx);
  if (name !== undefined) refuseWrong('This name cannot be used.', checkName(name));
  const fields = {
    ...(name !== undefined && { name: name.trim() }),
    ...(language !== undefined && { language }),
  };
  if (Object.keys(fields).length > 0) await updateUser(ctx.db, userId, fields);
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

/** Every user of the installation, oldest first; for the operator. */
export async function listUsers(
  ctx: Context,
  query: { readonly after?: UserPosition | undefined; readonly limit: number },
): Promise<Page<ListedUser, UserPosition>> {
  requireOperator(ctx);
  const rows = await selectUserList(ctx.db, { ...query, limit: query.limit + 1 });
  const users = rows.map((row) => ({ ...row, includedBytes: getPlan(row.plan).storageBytes }));
  return toPage(users, query.limit, ({ createdAt, id }) => ({ createdAt, id }));
}
