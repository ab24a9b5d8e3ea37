import { newId } from '../../../lib/uuid.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid, refuseWrong } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { revise } from '../../foundation/revisions/index.ts';
import { limitTexts } from '../../foundation/storage/index.ts';
import { lockPodcast } from '../podcasts/index.ts';
import { insertPerson, selectPersonByName, updatePersonColumns } from './people.sql.ts';
import { checkPerson, type NewPerson, normalizeTerm, type Person } from './person.ts';

/** `id` is the person's if given, and must be nobody's yet. */
export async function addPerson(ctx: Context, input: NewPerson, id = newId()): Promise<Person> {
  await authorize(ctx, 'people.edit', { podcastId: input.podcastId });
  refuseWrong('The person was not added.', checkPerson(input));
  const person: Person = {
    id,
    podcastId: input.podcastId,
    name: input.name.trim(),
    role: normalizeTerm(input.role ?? 'host'),
    group: normalizeTerm(input.group ?? 'cast'),
    userId: input.userId ?? null,
    bio: input.bio ?? null,
    linkUrl: input.linkUrl ?? null,
    photoId: input.photoId ?? null,
    roster: input.roster ?? true,
  };
  await transact(ctx, async (tx) => {
    await revise(tx, { podcastId: person.podcastId }, ['people']);
    const isInserted = await insertPerson(tx.db, person, ctx.clock.now());
    if (!isInserted) throw invalid('new_id', 'Another person has this id.');
    await limitTexts(tx, person.podcastId);
    await announceChange(tx, { kind: 'podcast.changed', podcastId: person.podcastId });
  });
  return person;
}

/**
 * Returns the podcast's person of that name, who is added if new. Adds new facts (a photo, a link,
 * a place on the roster), and removes none.
 */
export async function findOrAddPerson(ctx: Context, input: NewPerson): Promise<Person> {
  await authorize(ctx, 'people.edit', { podcastId: input.podcastId });
  return transact(ctx, async (tx) => {
    await lockPodcast(tx.db, input.podcastId);
    const known = await selectPersonByName(tx.db, input.podcastId, input.name.trim());
    if (known === undefined) return addPerson(tx, input);
    const news = {
      ...(known.linkUrl === null && input.linkUrl != null ? { linkUrl: input.linkUrl } : {}),
      ...(known.photoId === null && input.photoId != null ? { photoId: input.photoId } : {}),
      ...(!known.roster && input.roster === true ? { roster: true } : {}),
    };
    if (Object.keys(news).length === 0) return known;
    await revise(tx, { podcastId: known.podcastId }, ['people']);
    await updatePersonColumns(tx.db, known.id, news);
    await limitTexts(tx, known.podcastId);
    await announceChange(tx, { kind: 'podcast.changed', podcastId: known.podcastId });
    return { ...known, ...news };
  });
}
