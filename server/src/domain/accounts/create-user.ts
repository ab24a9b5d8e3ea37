import { newId } from '../../lib/uuid.ts';
import { isUniqueViolation } from '../../platform/database/sql-errors.ts';
import { type Context, transact } from '../context.ts';
import { DomainError, invalid } from '../errors.ts';
import { insertAccount, insertUser } from './accounts.sql.ts';
import { hashPassword } from './passwords.ts';
import { checkNewUser, type NewUser, type User } from './user.ts';

/** Makes a user and the account they own. Refuses an address that is taken, in whatever case. */
export async function createUser(ctx: Context, input: NewUser): Promise<User> {
  const details = checkNewUser(input);
  if (details.length > 0) throw new DomainError('invalid', 'The user cannot be made.', { details });
  const passwordHash = await hashPassword(input.password);
  const createdAt = ctx.clock.now();
  const { defaultPlan, termsVersion } = ctx.installation;
  const user: User = {
    id: newId(),
    accountId: newId(),
    email: input.email,
    name: input.name?.trim() ?? input.email.slice(0, input.email.lastIndexOf('@')),
  };
  try {
    await transact(ctx, async (tx) => {
      await insertAccount(tx.db, {
        id: user.accountId,
        plan: input.plan ?? defaultPlan,
        planState: input.planState ?? 'active',
        createdAt,
      });
      const acceptedTerms = input.acceptsTerms === false ? undefined : termsVersion;
      await insertUser(tx.db, { ...user, passwordHash, acceptedTerms, createdAt });
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email')) throw error;
    throw invalid('email', `There is a user with the address ${input.email} already.`);
  }
  return user;
}
