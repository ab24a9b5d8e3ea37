import { newId } from '../../../lib/uuid.ts';
import { isForeignKeyViolation } from '../../../platform/database/sql-errors.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid, notFound, refuseWrong } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { replaceCredits, selectOwnCredits, selectPerson } from './people.sql.ts';
import { type Credit, checkTerms, normalizeTerm, type OwnCredit } from './person.ts';

/** Sets who is on an episode, in order. With an empty list, the episode has the show's roster. */
export async function setCredits(
  ctx: Context,
  episodeId: string,
  credits: readonly Credit[],
  expectation?: Expectation,
): Promise<void> {
  const details = credits.flatMap((credit, index) =>
    checkTerms(credit).map((detail) => ({ ...detail, field: `people[${index}].${detail.field}` })),
  );
  refuseWrong("The episode's credits were not saved.", details);
  await transact(ctx, async (tx) => {
    const { podcastId } = await authorize(tx, 'people.edit', { episodeId });
    await revise(tx, { episodeId }, ['people'], expectation);
    const rows: { id: string; personId: string; role: string; group: string }[] = [];
    for (const credit of credits) {
      const person = await selectPerson(tx.db, credit.personId);
      if (person === undefined || person.podcastId !== podcastId) {
        throw invalid('people', `The podcast has no person ${credit.personId}.`);
      }
      rows.push({
        id: newId(),
        personId: person.id,
        role: normalizeTerm(credit.role ?? person.role),
        group: normalizeTerm(credit.group ?? person.group),
      });
    }
    await replaceCredits(tx.db, episodeId, rows);
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
