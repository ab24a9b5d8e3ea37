import { peopleLimits } from '../../../lib/limits.ts';
import { newId } from '../../../lib/uuid.ts';
import { isForeignKeyViolation } from '../../../platform/database/sql-errors.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid, notFound, refuseWrong } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { limitTexts } from '../../foundation/storage/index.ts';
import { replaceCredits, selectOwnCredits, selectPeopleAmong } from './people.sql.ts';
import { type Credit, checkTerms, normalizeTerm, type OwnCredit } from './person.ts';

/**
 * Sets who is on an episode, in order: at most `peopleLimits.credits`. With an empty list, the episode
 * has the show's roster.
 */
export async function setCredits(
  ctx: Context,
  episodeId: string,
  credits: readonly Credit[],
  expectation?: Expectation,
): Promise<void> {
  const { credits: max } = peopleLimits;
  if (credits.length > max) throw invalid('people', sayRefusal('credits_full', { max }));
  const details = credits.flatMap((credit, index) =>
    checkTerms(credit).map((detail) => ({ ...detail, field: `people[${index}].${detail.field}` })),
  );
  refuseWrong("The episode's credits were not saved.", details);
  await transact(ctx, async (tx) => {
    const { podcastId } = await authorize(tx, 'people.edit', { episodeId });
    await revise(tx, { episodeId }, ['people'], expectation);
    const ids = credits.map(({ personId }) => personId.toLowerCase());
    const people = await selectPeopleAmong(tx.db, podcastId, ids);
    const rows = credits.map(({ personId, role, group }) => {
      const person = people.get(personId.toLowerCase());
      if (person === undefined) {
        throw invalid('people', `The podcast has no person ${personId}.`);
      }
      return {
        id: newId(),
        personId: person.id,
        role: normalizeTerm(role ?? person.role),
        group: normalizeTerm(group ?? person.group),
      };
    });
    await replaceCredits(tx.db, episodeId, rows);
    await limitTexts(tx, podcastId);
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
  }).catch(refuseDeleted);
}

/** The episode or a person was deleted while the credits were read. */
function refuseDeleted(error: unknown): never {
  if (isForeignKeyViolation(error, 'episode_credits_episode_id_fkey')) throw notFound('episode');
  if (isForeignKeyViolation(error, 'episode_credits_person_id_fkey')) {
    throw invalid('people', sayRefusal('person_deleted'));
  }
  throw error;
}

/** Lists the people whom the episode names itself. If there are none, it has the show's roster. */
export function listOwnCredits(ctx: Context, episodeId: string): Promise<OwnCredit[]> {
  return selectOwnCredits(ctx.db, episodeId);
}
