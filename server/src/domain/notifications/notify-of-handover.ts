import { findUser } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { queueEmail } from '../emails/index.ts';
import type { ChangeEvent } from '../outbox/index.ts';
import { findPodcast } from '../podcasts/index.ts';

/** Emails both the previous and the new owner. */
export async function notifyOfHandover(
  tx: Context,
  { podcastId, previousUserId, userId }: ChangeEvent,
): Promise<void> {
  if (podcastId === null || previousUserId === null || userId === null) return;
  const podcast = await findPodcast(tx, podcastId);
  const from = await findUser(tx, previousUserId);
  const to = await findUser(tx, userId);
  if (podcast === undefined || from === undefined || to === undefined) return;
  const values = { podcast: podcast.title, from: from.name, to: to.name };
  for (const { email } of [from, to]) {
    await queueEmail(tx, { template: 'ownership-handed-over', to: email, values });
  }
}
