import { findUser } from '../accounts/index.ts';
import type { ChangeEvent } from '../changes/index.ts';
import type { Context } from '../context.ts';
import { queueLetter } from '../letters/index.ts';
import { findPodcast } from '../podcasts/index.ts';

/** To both: who gave the podcast away, and who has it now. */
export async function tellOfHandover(
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
    await queueLetter(tx, { template: 'ownership-handed-over', to: email, values });
  }
}
