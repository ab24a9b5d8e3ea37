import { checkNewUser, type PreparedUser, prepareUser, storeUser } from '../accounts/index.ts';
import { type Context, transact } from '../context.ts';
import { DomainError, linkExpired } from '../errors.ts';
import { createSession } from './create-session.ts';
import { findLink, takeLink } from './letter-link.ts';
import { deleteLinksOfAddress } from './letter-links.sql.ts';
import type { Client, SignedIn } from './session.ts';

/** What whoever signs up says of themselves, once their address is proven. */
export interface NewAccount {
  readonly name: string;
  readonly password: string;
  /** Needed where there are terms. */
  readonly acceptsTerms?: boolean | undefined;
}

/** Makes the user whose address the letter's link proves, and signs them in. */
export async function confirmSignUp(
  ctx: Context,
  input: NewAccount & { readonly token: string; readonly client: Client },
): Promise<SignedIn> {
  requireSignUp(ctx);
  const link = await findLink(ctx, 'sign_up', input.token);
  if (link === undefined) throw linkExpired();
  const user = await prepareAccount(ctx, link.email, input);
  return transact(ctx, async (tx) => {
    await takeLink(tx, 'sign_up', input.token);
    return storeAccount(tx, user, input.client);
  });
}

/** Links of letters too end when the operator closes it. */
export function requireSignUp(ctx: Context): void {
  if (ctx.installation.signUp) return;
  throw new DomainError('forbidden', 'New accounts are made by invitation here.');
}

/** Names every wrong field; the terms in force, where there are any, are to be agreed to. */
export async function prepareAccount(
  ctx: Context,
  email: string,
  { name, password, acceptsTerms }: NewAccount,
): Promise<PreparedUser> {
  const user = { email, name, password };
  if (ctx.installation.terms !== undefined && acceptsTerms !== true) {
    const refused = { field: 'accepts_terms', message: 'An account needs your consent.' };
    const details = [...checkNewUser(user), refused];
    throw new DomainError('invalid', 'The account cannot be made.', { details });
  }
  return prepareUser(ctx, user);
}

/** In the transaction that uses up what proved the address. */
export async function storeAccount(
  tx: Context,
  user: PreparedUser,
  client: Client,
): Promise<SignedIn> {
  await storeUser(tx, user);
  await deleteLinksOfAddress(tx.db, 'sign_up', user.email);
  const signedIn = await createSession(
    tx,
    { userId: user.id, passwordHash: user.passwordHash },
    client,
  );
  if (signedIn === undefined) throw new Error('a user just made has no such password');
  return signedIn;
}
