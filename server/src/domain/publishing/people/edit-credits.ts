import { type Context, transact } from '../../foundation/context.ts';
import { type ErrorDetail, refuseWrong } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { type Expectation, getRevision, revise } from '../../foundation/revisions/index.ts';
import { type FoundPerson, findOrAddPeople } from './add-person.ts';
import { refuseLimit } from './limit-people.ts';
import { selectKnownPeople, selectOwnCredits } from './people.sql.ts';
import { type Credit, checkPerson, type KnownPerson, type OwnCredit } from './person.ts';
import { setCredits } from './set-credits.ts';

/** A known person, or the name of one who may be new to the show. */
export interface GivenCredit {
  readonly personId?: string | undefined;
  readonly name?: string | undefined;
  readonly role?: string | undefined;
  readonly group?: string | undefined;
}

export interface EpisodeCredits {
  /** Empty: the episode has the show's roster. */
  readonly people: readonly OwnCredit[];
  /** Everybody whom the show knows, in the order of the roster. */
  readonly known: readonly KnownPerson[];
  /** Of the episode. */
  readonly revision: number;
}

/** Reads whom an episode credits itself, and whom it could credit, for a member. */
export async function readEpisodeCredits(ctx: Context, episodeId: string): Promise<EpisodeCredits> {
  const { podcastId } = await authorize(ctx, 'people.read', { episodeId });
  const revision = await getRevision(ctx, { episodeId });
  const people = await selectOwnCredits(ctx.db, episodeId);
  return { people, known: await selectKnownPeople(ctx.db, podcastId), revision };
}

/** Sets who is on an episode, in order; people of new names join the show, off its roster. */
export async function editCredits(
  ctx: Context,
  episodeId: string,
  given: readonly GivenCredit[],
  expectation?: Expectation,
): Promise<void> {
  refuseWrong("The episode's people were not saved.", checkCredits(given));
  await transact(ctx, async (tx) => {
    const { podcastId } = await authorize(tx, 'people.edit', { episodeId });
    await revise(tx, { episodeId }, ['people'], expectation);
    const named = given.filter(({ personId }) => personId === undefined);
    const wanted = named.map((credit) => ({ ...personOf(credit), roster: false }));
    const found = await findOrAddPeople(tx, podcastId, wanted);
    const ids = new Map(found.map((one, at) => [named[at], idOf(one)]));
    const credits = given.map((credit): Credit => {
      const { personId = ids.get(credit) ?? '', role, group } = credit;
      return { personId, role, group };
    });
    await setCredits(tx, episodeId, credits);
  });
}

function idOf({ person, limit }: FoundPerson): string {
  if (person === undefined || limit !== undefined) throw refuseLimit(limit ?? 'people_full');
  return person.id;
}

function checkCredits(given: readonly GivenCredit[]): ErrorDetail[] {
  return given.flatMap((credit, index) => {
    // The name of a known person is not used.
    const name = credit.personId === undefined ? credit.name : 'known';
    return checkPerson(personOf({ ...credit, name })).map((detail) => ({
      ...detail,
      field: `people[${index}].${detail.field}`,
    }));
  });
}

function personOf({ name = '', role, group }: GivenCredit) {
  return { name, ...(role !== undefined && { role }), ...(group !== undefined && { group }) };
}
