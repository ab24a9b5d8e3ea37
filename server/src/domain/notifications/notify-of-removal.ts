import { findUser } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../emails/index.ts';
import type { ChangeEvent } from '../outbox/index.ts';
import { findMembership, findPodcast } from '../podcasts/index.ts';

/** Emails a member whom somebody else removed. Members who left, or who are back, get no email. */
export async function notifyOfRemoval(
  tx: Context,
  { podcastId, userId, actorUserId }: ChangeEvent,
): Promise<void> {
  if (podcastId === null || userId === null || userId === actorUserId) return;
  const podcast = await findPodcast(tx, podcastId);
  const user = await findUser(tx, userId);
  if (podcast === undefined || user === undefined) return;
  if ((await findMembership(tx, podcastId, userId)) !== undefined) return;
  const values = { podcast: podcast.title };
  await queueEmail(tx, { template: 'member-removed', to: user.email, values });
}
