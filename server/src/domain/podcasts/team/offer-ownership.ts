import { isEmail, isSameEmail } from '../../../lib/email-address.ts';
import { hashSecretToken, newSecretToken } from '../../../lib/secret-token.ts';
import { holdProof, proveCurrentPassword, takeAttempt, type User } from '../../accounts/index.ts';
import { requireUser } from '../../actor.ts';
import { appUrl } from '../../addresses.ts';
import { type Context, transact } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { queueLetter } from '../../letters/index.ts';
import { requireOwner } from '../require-owner.ts';
import { getPodcast } from '../update-podcast.ts';
import { changeTeam } from './change-team.ts';
import { lettersPerMember } from './invitation.ts';
import { deleteOffer, replaceOffer, selectOffer } from './ownership.sql.ts';
import { type OwnershipOffer, offerLifetimeMs } from './ownership-offer.ts';

/**
 * Asks somebody by letter to take the podcast over, in the place of whoever was asked before.
 * Nothing moves before they accept; with it moves everything, so the password is asked for.
 */
export async function offerOwnership(
  ctx: Context,
  input: {
    readonly podcastId: string;
    readonly email: string;
    readonly currentPassword: string;
  },
): Promise<OwnershipOffer> {
  const userId = requireUser(ctx.actor);
  const { podcastId, email } = input;
  await requireOwner(ctx, podcastId);
  if (!isEmail(email)) throw invalid('email', 'This is not an e-mail address.');
  await takeAttempt(ctx, [lettersPerMember, userId]);
  const proof = await proveCurrentPassword(ctx, userId, input.currentPassword);
  return transact(ctx, async (tx) => {
    // Users before podcasts, as everywhere.
    const owner = await holdProof(tx, proof);
    return changeTeam(tx, podcastId, () => sendOffer(tx, owner, { podcastId, email }));
  });
}

async function sendOffer(
  tx: Context,
  owner: User,
  { podcastId, email }: Pick<OwnershipOffer, 'podcastId' | 'email'>,
): Promise<OwnershipOffer> {
  await requireOwner(tx, podcastId);
  if (isSameEmail(owner.email, email)) {
    throw invalid('email', 'This is your own address: the podcast is yours already.');
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
  };
  await queueLetter(tx, { template: 'ownership-offer', to: email, values });
  return offer;
}

/** The one offer that is open; its owner's to see. */
export async function findOwnershipOffer(
  ctx: Context,
  podcastId: string,
): Promise<OwnershipOffer | undefined> {
  await requireOwner(ctx, podcastId);
  return selectOffer(ctx.db, podcastId, ctx.clock.now());
}

/** Takes the offer back, if there is one: its letter opens nothing any more. */
export async function withdrawOwnership(ctx: Context, podcastId: string): Promise<void> {
  await changeTeam(ctx, podcastId, async (tx) => {
    await requireOwner(tx, podcastId);
    await deleteOffer(tx.db, podcastId);
  });
}
