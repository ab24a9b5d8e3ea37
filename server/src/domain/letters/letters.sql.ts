import type { Db } from '../database.ts';
import type { LetterTemplate } from './letter-templates.ts';

export interface NewLetterRow {
  readonly id: string;
  readonly key: string | undefined;
  readonly template: LetterTemplate;
  readonly recipient: string;
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly createdAt: Date;
}

/** Whether it was taken: false where a letter with its key is known. By letters_key_key. */
export async function insertLetter(db: Db, letter: NewLetterRow): Promise<boolean> {
  const inserted = await db
    .insertInto('letters')
    .values({
      id: letter.id,
      key: letter.key ?? null,
      template: letter.template,
      recipient: letter.recipient,
      content: JSON.stringify(letter.values),
      due_at: letter.createdAt,
      created_at: letter.createdAt,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** A letter in a sender's hands. */
export interface ClaimedLetter {
  readonly id: string;
  readonly template: LetterTemplate;
  readonly recipient: string;
  readonly values: Readonly<Record<string, string>>;
  /** This one counted. Who claims it after us counts further: it is no longer ours then. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** Takes the letter that has been due longest, of those nobody has in hand. By letters_due. */
export async function claimLetter(
  db: Db,
  now: Date,
  heldUntil: Date,
): Promise<ClaimedLetter | undefined> {
  const letter = await db
    .updateTable('letters')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), due_at: heldUntil }))
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('letters')
        .select('id')
        .where('state', '=', 'waiting')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning((column) => [
      'id',
      column.ref('template').$castTo<LetterTemplate>().as('template'),
      column.ref('recipient').$notNull().as('recipient'),
      column.ref('content').$castTo<Record<string, string>>().as('values'),
      'attempts',
      'created_at as createdAt',
    ])
    .executeTakeFirst();
  return letter;
}

/** Ends a letter and forgets whom it was for and what it said. */
export async function endLetter(
  db: Db,
  id: string,
  state: 'sent' | 'given_up',
  now: Date,
): Promise<void> {
  await db
    .updateTable('letters')
    .set({ state, ended_at: now, recipient: null, content: null })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Gives a letter back, for later; without effect when it is no longer in the caller's hands. */
export async function postponeLetter(
  db: Db,
  { id, attempts }: ClaimedLetter,
  dueAt: Date,
): Promise<void> {
  await db
    .updateTable('letters')
    .set({ due_at: dueAt })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)
    .execute();
}

/** By letters_ended. */
export async function deleteEndedLetters(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('letters')
    .where('state', '<>', 'waiting')
    .where('ended_at', '<', before)
    .execute();
}

/** How many letters there are in each state. */
export async function countLettersByState(db: Db): Promise<{ state: string; count: number }[]> {
  return await db
    .selectFrom('letters')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
}
