import {
  checkNewUser,
  type PreparedUser,
  prepareUser,
  storeUser,
} from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { DomainError, requireLink } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { acceptInvitation, getInvitation } from '../../publishing/podcasts/index.ts';
import { attemptLink, consumeLink, findLink } from './email-link.ts';
import { deleteLinksOfAddress } from './email-links.sql.ts';
import { createSession } from './own-sessions.ts';
import { type Client, hashingClientOf, type SignedIn } from './session.ts';

/** What a new user enters once the email address is confirmed. */
export interface NewAccount {
  readonly name: string;
  readonly password: string;
  /** Required if there are terms. */
  readonly acceptsTerms?: boolean | undefined;
}

/** A new user's session, and the path that they requested when they signed up. */
export interface SignedUp extends SignedIn {
  readonly returnPath: string | null;
}

/** Creates the user whose email address the link confirms, and signs them in. */
export async function confirmSignUp(
  ctx: Context,
  input: NewAccount & { readonly token: string; readonly client: Client },
): Promise<SignedUp> {
  requireSignUp(ctx);
  const link = requireLink(await findLink(ctx, 'sign_up', input.token));
  await attemptLink(ctx, input.token);
  const user = await prepareAccount(ctx, link.email, input);
  return transact(ctx, async (tx) => {
    const { returnPath } = await consumeLink(tx, 'sign_up', input.token);
    return { ...(await storeAccount(tx, user, input.client)), returnPath };
  });
}

/** Closing sign-up also invalidates links that were already sent. */
export function requireSignUp(ctx: Context): void {
  if (ctx.installation.signUp) return;
  throw new DomainError('forbidden', 'New accounts are by invitation only.');
}

/** Reports every wrong field, including terms that are not accepted. */
async function prepareAccount(
  ctx: Context,
  email: string,
  { name, password, acceptsTerms, client }: NewAccount & { readonly client: Client },
): Promise<PreparedUser> {
  const user = { email, name, password };
  if (ctx.installation.terms !== undefined && acceptsTerms !== true) {
    const refused = { field: 'accepts_terms', ...sayRefusal('accept_terms') };
    const details = [...checkNewUser(user), refused];
    throw new DomainError('invalid', 'The account was not created.', { details });
  }
  return prepareUser(ctx, user, hashingClientOf(client));
}

/** Call it in the transaction that consumes the link. */
async function storeAccount(tx: Context, user: PreparedUser, client: Client): Promise<SignedIn> {
  await storeUser(tx, user);
  await deleteLinksOfAddress(tx.db, 'sign_up', user.email);
  const signedIn = await createSession(
    tx,
    { userId: user.id, passwordHash: user.passwordHash },
    client,
  );
  if (signedIn === undefined) throw new Error('the password changed within its own transaction');
  return signedIn;
}

/**
 * Creates an account for the invited address, joins the team and signs in. Opening the link of
 * the email confirms the address.
 */
export async function signUpByInvitation(
  ctx: Context,
  input: NewAccount & { readonly token: string; readonly client: Client },
): Promise<SignedIn & { readonly podcastId: string }> {
  const { token, client } = input;
  const { email, hasAccount } = await getInvitation(ctx, token);
  // A copied link does not prove that its reader owns the address.
  requireLink(hasAccount ?? undefined);
  await attemptLink(ctx, token);
  const user = await prepareAccount(ctx, email, input);
  return transact(ctx, async (tx) => {
    const signedIn = await storeAccount(tx, user, client);
    const asUser: Context = { ...tx, principal: { kind: 'user', userId: user.id } };
    return { ...signedIn, ...(await acceptInvitation(asUser, token)) };
  });
}
