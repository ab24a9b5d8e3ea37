import {
  findUserByEmail,
  lockProvenUser,
  lockUser,
  proveCurrentPassword,
  setEmail,
} from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { queueEmail } from '../../foundation/emails/index.ts';
import { requireLink } from '../../foundation/errors.ts';
import { requireUser } from '../../foundation/principal.ts';
import { checkEmailRequest, linkValues, sendAddressKnown } from './ask-for-email.ts';
import { consumeLink, findLink, issueLink } from './email-link.ts';
import { deleteLinksOfAddress, deleteLinksOfUser } from './email-links.sql.ts';
import type { Client } from './session.ts';

/**
 * Emails a confirmation link to the new address. If that address belongs to another user, it gets a
 * different email, so that the requester learns nothing.
 */
export async function changeEmail(
  ctx: Context,
  input: { readonly email: string; readonly currentPassword: string; readonly client: Client },
): Promise<void> {
  const userId = requireUser(ctx);
  await checkEmailRequest(ctx, input, userId);
  const proof = await proveCurrentPassword(ctx, userId, input.currentPassword);
  await transact(ctx, async (tx) => {
    const { name } = await lockProvenUser(tx, proof);
    const holder = await findUserByEmail(tx, input.email);
    if (holder !== undefined && holder.id !== userId) return sendAddressKnown(tx, holder);
    const link = await issueLink(tx, 'change_email', { userId, email: input.email });
    const values = { name, ...linkValues(tx, 'confirmEmail', link) };
    return queueEmail(tx, { template: 'confirm-new-email', to: input.email, values });
  });
}

/**
 * Confirms the new address. The old address gets an email. Links sent to it become invalid, and those
 * that would create an account for the new one.
 */
export async function confirmEmail(ctx: Context, { token }: { token: string }): Promise<void> {
  const { userId, email } = requireLink(await findLink(ctx, 'change_email', token));
  await transact(ctx, async (tx) => {
    const before = await lockUser(tx, userId);
    await consumeLink(tx, 'change_email', token);
    // Before the change: the email has the language of the user with this address.
    const values = { name: before.name, at: tx.clock.now() };
    await queueEmail(tx, { template: 'email-changed', to: before.email, values });
    await setEmail(tx, userId, email);
    await deleteLinksOfUser(tx.db, userId);
    await deleteLinksOfAddress(tx.db, 'reset_password', before.email);
    await deleteLinksOfAddress(tx.db, 'sign_up', email);
  });
}
