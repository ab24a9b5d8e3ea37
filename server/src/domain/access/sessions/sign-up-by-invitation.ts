import { type Context, transact } from '../../foundation/context.ts';
import { requireLink } from '../../foundation/errors.ts';
import { acceptInvitation, getInvitation } from '../../publishing/podcasts/index.ts';
import { type NewAccount, prepareAccount, storeAccount } from './confirm-sign-up.ts';
import type { Client, SignedIn } from './session.ts';

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
  const user = await prepareAccount(ctx, email, input);
  return transact(ctx, async (tx) => {
    const signedIn = await storeAccount(tx, user, client);
    const asUser: Context = { ...tx, principal: { kind: 'user', userId: user.id } };
    return { ...signedIn, ...(await acceptInvitation(asUser, token)) };
  });
}
