import { type Context, transact } from '../../foundation/context.ts';
import { notFound } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { selectPerson, updatePersonColumns } from './people.sql.ts';

export interface OnePerson {
  readonly podcastId: string;
  readonly personId: string;
}

/** Null removes the photo; otherwise it is a picture of the podcast. */
export async function setPersonPhoto(
  ctx: Context,
  { podcastId, personId }: OnePerson,
  photoId: string | null,
  expectation?: Expectation,
): Promise<void> {
  await authorize(ctx, 'people.edit', { podcastId });
  await transact(ctx, async (tx) => {
    // Locks the podcast, so that the person cannot be removed meanwhile.
    await revise(tx, { podcastId }, ['people'], expectation);
    const person = await selectPerson(tx.db, personId);
    if (person?.podcastId !== podcastId.toLowerCase()) throw notFound('person');
    await updatePersonColumns(tx.db, person.id, { photoId });
    await announceChange(tx, { kind: 'podcast.changed', podcastId: person.podcastId });
  });
}
