import { newId } from '../../lib/uuid.ts';
import { announceChange } from '../changes/index.ts';
import { type Context, transact } from '../context.ts';
import { getEpisode } from '../episodes/index.ts';
import { invalid } from '../errors.ts';
import { requireCapability } from '../podcasts/index.ts';
import { replaceCredits, selectPerson } from './people.sql.ts';
import type { Credit } from './person.ts';

/** Who is on an episode, in order. An empty list gives the episode the show's roster. */
export async function setCredits(
  ctx: Context,
  episodeId: string,
  credits: readonly Credit[],
): Promise<void> {
  await transact(ctx, async (tx) => {
    const { podcastId } = await getEpisode(tx, episodeId);
    await requireCapability(tx, podcastId, 'episodes.people');
    const rows: { id: string; personId: string; role: string; group: string }[] = [];
    for (const credit of credits) {
      const person = await selectPerson(tx.db, credit.personId);
      if (person === undefined || person.podcastId !== podcastId) {
        throw invalid('people', `The podcast has no person ${credit.personId}.`);
      }
      rows.push({
        id: newId(),
        personId: person.id,
        role: (credit.role ?? person.role).toLowerCase(),
        group: (credit.group ?? person.group).toLowerCase(),
      });
    }
    await replaceCredits(tx.db, episodeId, rows);
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
  });
}
