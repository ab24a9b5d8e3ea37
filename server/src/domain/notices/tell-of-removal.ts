import { findUser } from '../accounts/index.ts';
import type { ChangeEvent } from '../changes/index.ts';
import type { Context } from '../context.ts';
import { queueLetter } from '../letters/index.ts';
import { findMembership, findPodcast } from '../podcasts/index.ts';

/** To whom somebody else has removed; who leaves knows it, and who is back need not. */
export async function tellOfRemoval(
  tx: Context,
  { podcastId, userId, actorUserId }: ChangeEvent,
): Promise<void> {
  if (podcastId === null || userId === null || userId === actorUserId) return;
  const podcast = await findPodcast(tx, podcastId);
  const user = await findUser(tx, userId);
  if (podcast === undefined || user === undefined) return;
  if ((await findMembership(tx, podcastId, userId)) !== undefined) return;
  const values = { podcast: podcast.title };
  await queueLetter(tx, { template: 'member-removed', to: user.email, values });
}
