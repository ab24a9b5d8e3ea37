import { isSameEmail } from '../../../../lib/email-address.ts';
import { hashSecretToken, tryHashSecretToken } from '../../../../lib/secret-token.ts';
import { isUniqueViolation } from '../../../../platform/database/sql-errors.ts';
import { getUser, type User } from '../../../foundation/accounts/index.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import type { Role } from '../../../foundation/enumerations.ts';
import { DomainError, invalid, requireLink } from '../../../foundation/errors.ts';
import { announceChange } from '../../../foundation/outbox/index.ts';
import { requireUser } from '../../../foundation/principal.ts';
import type { Membership } from '../../../foundation/relation.ts';
import { requireStorageOfPodcast } from '../../../foundation/storage/index.ts';
import { message } from '../../../foundation/translations/index.ts';
import { insertMember, selectMembership, updateMember } from '../members.sql.ts';
import { lockPodcast } from '../podcasts.sql.ts';
import { endFeedRedirects } from '../update-podcast.ts';
import { deleteInvitationsBy } from './invitations.sql.ts';
import {
  deleteOffer,
  deleteOfferByToken,
  type ReceivedOffer,
  selectOfferByToken,
  selectOwnerId,
  updateAccountOfPodcast,
} from './ownership.sql.ts';

/** Returns the offer with this token, while it is valid. */
export async function getOwnershipOffer(ctx: Context, token: string): Promise<ReceivedOffer> {
  const tokenHash = requireLink(tryHashSecretToken(token));
  return requireLink(await selectOfferByToken(ctx.db, tokenHash, ctx.clock.now()));
}

/**
 * Moves the podcast to the signed-in user's account. Their address must be the one it was offered
 * to. The old owner stays as an admin; the new owner decides whether the team's keys may read on, and
 * whether the feed redirects to the own domain.
 * Throws if their plan has no storage for the podcast's files.
 */
export async function moveToNewOwner(
  ctx: Context,
  { token, teamKeys }: { readonly token: string; readonly teamKeys: boolean },
): Promise<{ readonly podcastId: string; readonly previousUserId: string }> {
  const userId = requireUser(ctx);
  return transact(ctx, async (tx) => {
    const { podcastId, email } = await getOwnershipOffer(tx, token);
    // Before the lock: a refused request must not make others wait for it.
    const receiver = await getUser(tx, userId);
    if (!isSameEmail(receiver.email, email)) {
      throw new DomainError(
        'forbidden',
        `This offer is for ${email}. Sign in with that email address.`,
      );
    }
    await lockPodcast(tx.db, podcastId, { asAWhole: true });
    // Reads it again: the transaction that held the lock may have withdrawn it, or moved the
    // podcast.
    await getOwnershipOffer(tx, token);
    // Whoever declines it, or sets a new password, does not wait for the lock.
    requireLink((await deleteOffer(tx.db, podcastId)) || undefined);
    const previousUserId = await moveTo(tx, podcastId, receiver, teamKeys);
    // The domain may be one of the old owner.
    await endFeedRedirects(tx, podcastId);
    return { podcastId, previousUserId };
  });
}

/** Anyone with the token may decline, without signing in. */
export async function declineOwnership(ctx: Context, token: string): Promise<void> {
  await getOwnershipOffer(ctx, token);
  await deleteOfferByToken(ctx.db, hashSecretToken(token));
}

/** Returns the old owner. */
async function moveTo(
  tx: Context,
  podcastId: string,
  receiver: User,
  teamKeys: boolean,
): Promise<string> {
  const userId = receiver.id;
  const previousUserId = await selectOwnerId(tx.db, podcastId);
  if (previousUserId === userId) {
    throw invalid('token', message('This podcast is already yours.'));
  }
  try {
    const now = tx.clock.now();
    await updateAccountOfPodcast(tx.db, podcastId, {
      accountId: receiver.accountId,
      teamKeys,
      now,
    });
    await requireStorageOfPodcast(tx, podcastId);
  } catch (error) {
    if (!isUniqueViolation(error, 'podcasts_account_id_guid_key')) throw error;
    const words = message(
      'Your account already has a podcast with the same GUID, and cannot have both.',
    );
    throw invalid('token', words, 'guid_taken');
  }
  // The order matters: a podcast has one owner at any moment.
  await updateMember(tx.db, { podcastId, userId: previousUserId, ...fixedRole('admin') });
  await deleteInvitationsBy(tx.db, podcastId, previousUserId);
  if ((await selectMembership(tx.db, podcastId, userId)) === undefined) {
    const createdAt = tx.clock.now();
    await insertMember(tx.db, { podcastId, userId, ...fixedRole('owner'), createdAt });
  } else {
    await updateMember(tx.db, { podcastId, userId, ...fixedRole('owner') });
  }
  await announceChange(tx, { kind: 'ownership.changed', podcastId, userId, previousUserId });
  return previousUserId;
}

function fixedRole(role: Role): Membership {
  return { role, roleName: null, capabilities: null };
}
