import { formatMoment } from '../../lib/time.ts';
import {
  findUserByEmail,
  holdProof,
  holdUser,
  proveCurrentPassword,
  setEmail,
} from '../accounts/index.ts';
import { requireUser } from '../actor.ts';
import { appUrl } from '../addresses.ts';
import { type Context, transact } from '../context.ts';
import { linkExpired } from '../errors.ts';
import { queueLetter } from '../letters/index.ts';
import { checkLetterRequest, sendAddressKnown } from './ask-for-letter.ts';
import { findLink, issueLink, takeLink } from './letter-link.ts';
import { deleteLinksOfAddress, deleteLinksOfUser } from './letter-links.sql.ts';
import type { Client } from './session.ts';

/**
 * Sends a letter to the new address, which becomes the user's when they open it. Somebody else's
 * address gets a letter too, another one: who asks does not learn that it is somebody's.
 */
export async function changeEmail(
  ctx: Context,
  input: { readonly email: string; readonly currentPassword: string; readonly client: Client },
): Promise<void> {
  const userId = requireUser(ctx.actor);
  await checkLetterRequest(ctx, input);
  const proof = await proveCurrentPassword(ctx, userId, input.currentPassword);
  await transact(ctx, async (tx) => {
    const { name } = await holdProof(tx, proof);
    const holder = await findUserByEmail(tx, input.email);
    if (holder !== undefined && holder.id !== userId) return sendAddressKnown(tx, holder);
    const token = await issueLink(tx, 'change_email', { userId, email: input.email });
    const values = { name, link: appUrl(tx.installation, 'confirmEmail', token) };
    return queueLetter(tx, { template: 'confirm-new-email', to: input.email, values });
  });
}

/** By the letter's link. The old address is told; links sent to it open nothing any more. */
export async function confirmEmail(ctx: Context, { token }: { token: string }): Promise<void> {
  const link = await findLink(ctx, 'change_email', token);
  if (link === undefined) throw linkExpired();
  const { userId, email } = link;
  await transact(ctx, async (tx) => {
    const before = await holdUser(tx, userId);
    await takeLink(tx, 'change_email', token);
    await setEmail(tx, userId, email);
    await deleteLinksOfUser(tx.db, userId);
    await deleteLinksOfAddress(tx.db, 'reset_password', before.email);
    const values = { name: before.name, at: formatMoment(tx.clock.now()) };
    await queueLetter(tx, { template: 'email-changed', to: before.email, values });
  });
}
