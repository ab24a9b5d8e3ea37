import { isSameEmail } from '../../../lib/email-address.ts';
import { hashSecretToken, tryHashSecretToken } from '../../../lib/secret-token.ts';
import { isUniqueViolation } from '../../../platform/database/sql-errors.ts';
import { getUser, type User } from '../../accounts/index.ts';
import { requireUser } from '../../actor.ts';
import { announceChange } from '../../changes/index.ts';
import { type Context, transact } from '../../context.ts';
import { DomainError, invalid, linkExpired } from '../../errors.ts';
import { insertMember, selectMembership, updateMember } from '../members.sql.ts';
import { lockPodcast } from '../podcasts.sql.ts';
import type { Membership, Role } from '../roles.ts';
import { deleteInvitationsBy } from './invitations.sql.ts';
import {
  deleteOffer,
  deleteOfferByToken,
  movePodcast,
  selectOfferByToken,
  selectOwnerId,
} from './ownership.sql.ts';
import type { ReceivedOffer } from './ownership-offer.ts';

/** What the letter with this token offers, while it does. */
export async function getOwnershipOffer(ctx: Context, token: string): Promise<ReceivedOffer> {
  const tokenHash = tryHashSecretToken(token);
  if (tokenHash === undefined) throw linkExpired();
  const offer = await selectOfferByToken(ctx.db, tokenHash, ctx.clock.now());
  if (offer === undefined) throw linkExpired();
  return offer;
}

/**
 * The podcast moves to the signed-in user's account: whoever has the address it was offered to. The
 * old owner stays as an admin; whether the team's keys may read on is the new owner's to say.
 */
export async function acceptOwnership(
  ctx: Context,
  { token, teamKeys }: { readonly token: string; readonly teamKeys: boolean },
): Promise<{ readonly podcastId: string }> {
  const userId = requireUser(ctx.actor);
  return transact(ctx, async (tx) => {
    const { podcastId, email } = await getOwnershipOffer(tx, token);
    await lockPodcast(tx.db, podcastId, { asAWhole: true });
    // Once more: whoever held the podcast until now may have withdrawn it, or moved it already.
    await getOwnershipOffer(tx, token);
    const receiver = await getUser(tx, userId);
    if (!isSameEmail(receiver.email, email)) {
      throw new DomainError('forbidden', `This is for ${email}: sign in with that address.`);
    }
    await deleteOffer(tx.db, podcastId);
    await moveTo(tx, podcastId, receiver, teamKeys);
    return { podcastId };
  });
}

/** Whoever holds the letter may; nobody has to. */
export async function declineOwnership(ctx: Context, token: string): Promise<void> {
  await getOwnershipOffer(ctx, token);
  await deleteOfferByToken(ctx.db, hashSecretToken(token));
}

async function moveTo(
  tx: Context,
  podcastId: string,
  receiver: User,
  teamKeys: boolean,
): Promise<void> {
  const userId = receiver.id;
  const previousUserId = await selectOwnerId(tx.db, podcastId);
  if (previousUserId === userId) throw invalid('token', 'This podcast is yours already.');
  try {
    const now = tx.clock.now();
    await movePodcast(tx.db, podcastId, { accountId: receiver.accountId, teamKeys, now });
  } catch (error) {
    if (!isUniqueViolation(error, 'podcasts_account_id_guid_key')) throw error;
    const message = 'Your account has a podcast with the same GUID already; it cannot have both.';
    throw invalid('token', message, 'guid_taken');
  }
  // In this order: there is one owner at any moment.
  await updateMember(tx.db, { podcastId, userId: previousUserId, ...fixedRole('admin') });
  await deleteInvitationsBy(tx.db, podcastId, previousUserId);
  if ((await selectMembership(tx.db, podcastId, userId)) === undefined) {
    const createdAt = tx.clock.now();
    await insertMember(tx.db, { podcastId, userId, ...fixedRole('owner'), createdAt });
  } else {
    await updateMember(tx.db, { podcastId, userId, ...fixedRole('owner') });
  }
  await announceChange(tx, { kind: 'ownership.changed', podcastId, userId, previousUserId });
}

function fixedRole(role: Role): Membership {
  return { role, roleName: null, capabilities: null };
}
