import { type Context, transact } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { announceChange } from '../outbox/index.ts';
import { authorize } from '../permissions/index.ts';
import { lockPodcast } from '../podcasts/index.ts';
import { addPerson } from './add-person.ts';
import { deletePeople, selectCredited, selectPeople, updatePersonColumns } from './people.sql.ts';
import { checkPerson, type NewPerson, type Person } from './person.ts';

/**
 * Makes these the people of a podcast, in this order. Names identify people. Fields left out keep
 * their values. People left out leave the roster; those without credits are deleted. An empty list
 * empties the roster.
 */
export async function setPeople(
  ctx: Context,
  podcastId: string,
  people: readonly Omit<NewPerson, 'podcastId'>[],
): Promise<void> {
  await authorize(ctx, 'people.edit', { podcastId });
  const details = checkPeople(people);
  if (details.length > 0) {
    throw new DomainError('invalid', 'The people of the podcast were not saved.', { details });
  }
  await transact(ctx, async (tx) => {
    if ((await lockPodcast(tx.db, podcastId)) === undefined) throw notFound('podcast');
    const known = new Map(
      (await listPeople(tx, podcastId)).map((one) => [normalizedName(one), one]),
    );
    for (const [index, person] of people.entries()) {
      const id =
        known.get(normalizedName(person))?.id ?? (await addPerson(tx, { ...person, podcastId })).id;
      known.delete(normalizedName(person));
      await updatePersonColumns(tx.db, id, { ...normalize(person), position: index + 1 });
    }
    await removeFromRoster(tx, [...known.values()]);
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
  });
}

/** Lists everybody a podcast knows, including people off its roster, in order. */
export function listPeople(ctx: Context, podcastId: string): Promise<Person[]> {
  return selectPeople(ctx.db, podcastId);
}

/** All validation errors; `field` includes the index. */
export function checkPeople(people: readonly Omit<NewPerson, 'podcastId'>[]) {
  const seen = new Set<string>();
  return people.flatMap((person, index) => {
    const path = `people[${index}]`;
    const problems = checkPerson(person).map((detail) => ({
      ...detail,
      field: `${path}.${detail.field}`,
    }));
    if (seen.has(normalizedName(person))) {
      problems.push({ field: `${path}.name`, message: 'The list has this name already.' });
    }
    seen.add(normalizedName(person));
    return problems;
  });
}

/** Two people of a podcast differ in their normalized names. */
function normalizedName({ name }: { readonly name: string }): string {
  return name.trim().toLowerCase();
}

function normalize({ name, role, group, ...rest }: Omit<NewPerson, 'podcastId'>) {
  return {
    ...rest,
    name: name.trim(),
    ...(role === undefined ? {} : { role: role.toLowerCase() }),
    ...(group === undefined ? {} : { group: group.toLowerCase() }),
  };
}

async function removeFromRoster({ db }: Context, people: readonly Person[]): Promise<void> {
  if (people.length === 0) return;
  const credited = await selectCredited(
    db,
    people.map(({ id }) => id),
  );
  const [kept, unused] = [
    people.filter(({ id }) => credited.has(id)),
    people.filter(({ id }) => !credited.has(id)),
  ];
  for (const { id } of kept) await updatePersonColumns(db, id, { roster: false });
  if (unused.length > 0) {
    await deletePeople(
      db,
      unused.map(({ id }) => id),
    );
  }
}
