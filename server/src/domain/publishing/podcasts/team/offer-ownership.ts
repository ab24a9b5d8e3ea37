import { isEmail, isSameEmail } from '../../../../lib/email-address.ts';
import { hashSecretToken, newSecretToken } from '../../../../lib/secret-token.ts';
import {
  lockProvenUser,
  proveCurrentPassword,
  type User,
} from '../../../foundation/accounts/index.ts';
import { appUrl } from '../../../foundation/addresses.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { queueEmail } from '../../../foundation/emails/index.ts';
import { invalid } from '../../../foundation/errors.ts';
import { authorize } from '../../../foundation/permissions/index.ts';
import { requireUser } from '../../../foundation/principal.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import { getPodcast } from '../update-podcast.ts';
import { changeTeam } from './change-team.ts';
import { consumeEmail } from './invitation.ts';
import {
  deleteOffer,
  type OwnershipOffer,
  offerLifetimeMs,
  replaceOffer,
  selectOffer,
} from './ownership.sql.ts';

/**
 * Offers the podcast to somebody by email, and replaces an earlier offer. Nothing moves before they
 * accept. Requires the password, because everything moves.
 */
export async function offerOwnership(
  ctx: Context,
  input: {
    readonly podcastId: string;
    readonly email: string;
    readonly currentPassword: string;
  },
): Promise<OwnershipOffer> {
  const userId = requireUser(ctx);
  const { podcastId, email } = input;
  await authorize(ctx, 'ownership.offer', { podcastId });
  if (!isEmail(email)) throw invalid('email', sayRefusal('not_email'));
  await consumeEmail(ctx, { userId, podcastId, email });
  const proof = await proveCurrentPassword(ctx, userId, input.currentPassword);
  return transact(ctx, async (tx) => {
    // Locks users before podcasts, as everywhere.
    const owner = await lockProvenUser(tx, proof);
    return changeTeam(tx, 'ownership.offer', podcastId, () =>
      sendOffer(tx, owner, { podcastId, email }),
    );
  });
}

async function sendOffer(
  tx: Context,
  owner: User,
  { podcastId, email }: Pick<OwnershipOffer, 'podcastId' | 'email'>,
): Promise<OwnershipOffer> {
  if (isSameEmail(owner.email, email)) {
    throw invalid('email', sayRefusal('own_address'));
  }
  const createdAt = tx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + offerLifetimeMs);
  const offer = { podcastId, email, createdAt, expiresAt };
  const token = newSecretToken();
  await replaceOffer(tx.db, { ...offer, tokenHash: hashSecretToken(token) });
  const values = {
    owner: owner.name,
    podcast: (await getPodcast(tx, podcastId)).title,
    link: appUrl(tx.installation, 'ownershipOffer', token),
    until: expiresAt,
  };
  await queueEmail(tx, { template: 'ownership-offer', to: email, values });
  return offer;
}

/** Returns the one open offer, to the owner only. */
export async function findOwnershipOffer(
  ctx: Context,
  podcastId: string,
): Promise<OwnershipOffer | undefined> {
  await authorize(ctx, 'ownership.offer', { podcastId });
  return selectOffer(ctx.db, podcastId, ctx.clock.now());
}

/** Withdraws the offer, if there is one: its link stops working. */
export async function withdrawOwnership(ctx: Context, podcastId: string): Promise<void> {
  await changeTeam(ctx, 'ownership.offer', podcastId, async (tx) => {
    await deleteOffer(tx.db, podcastId);
  });
}
