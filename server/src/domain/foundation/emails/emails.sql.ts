import { sql } from 'kysely';
import type { Language } from '../../../lib/languages.ts';
import type { Db } from '../database.ts';
import { isEmailOf } from '../is-email-of.sql.ts';
import type { EmailTemplate } from './email-templates.ts';

export interface NewEmailRow {
  readonly id: string;
  readonly key: string | undefined;
  readonly template: EmailTemplate;
  readonly recipient: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Used if its reader is not a user, or has no language. */
  readonly language: Language;
  /** Whether it is dropped if its reader does not want it. */
  readonly isOptional: boolean;
  readonly createdAt: Date;
}

/**
 * Inserts an email in the language of the user with its address. Returns false if that user does not
 * want it, or an email with this key exists. By users_email, email_choices_pkey and emails_key_key.
 */
export async function insertEmail(db: Db, email: NewEmailRow): Promise<boolean> {
  const { id, key = null, template, recipient, values, language, isOptional, createdAt } = email;
  const { rows } = await sql<{ readonly id: string }>`
    with reader as (
      select u.language, c.unwanted
      from users u left join email_choices c on c.user_id = u.id
      where ${isEmailOf(recipient)}
    )
    insert into emails (id, key, template, recipient, content, language, due_at, created_at)
    select ${id}::uuid, ${key}::text, ${template}::text, ${recipient}::text,
      ${JSON.stringify(values)}::jsonb, coalesce((select language from reader), ${language}),
      ${createdAt}::timestamptz, ${createdAt}::timestamptz
    where not (${isOptional} and exists (
      select from reader where ${template}::text = any(unwanted)
    ))
    on conflict (key) do nothing
    returning id`.execute(db);
  return rows.length > 0;
}

/** An email that a sender has claimed. */
export interface ClaimedEmail {
  readonly id: string;
  readonly template: EmailTemplate;
  readonly recipient: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly language: Language;
  /** Includes this attempt. A later claim raises the count, which ends ours. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** Makes emails due that would be due after `latest`. By emails_due. */
export async function hastenEmails(db: Db, now: Date, latest: Date): Promise<void> {
  await db
    .updateTable('emails')
    .set({ due_at: now })
    .where('state', '=', 'waiting')
    .where('due_at', '>', latest)
    .execute();
}

/** Claims the email that has been due longest and that no sender has claimed. By emails_due. */
export async function claimEmail(
  db: Db,
  now: Date,
  heldUntil: Date,
): Promise<ClaimedEmail | undefined> {
  return await db
    .updateTable('emails')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), due_at: heldUntil }))
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('emails')
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
      column.ref('template').$castTo<EmailTemplate>().as('template'),
      column.ref('recipient').$notNull().as('recipient'),
      column.ref('content').$notNull().as('values'),
      'language',
      'attempts',
      'created_at as createdAt',
    ])
    .executeTakeFirst();
}

/** When the next email is due or its claim expires. By emails_due. */
export async function selectNextDueAt(db: Db): Promise<Date | undefined> {
  const next = await db
    .selectFrom('emails')
    .select('due_at as dueAt')
    .where('state', '=', 'waiting')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return next?.dueAt;
}

/** Marks an email as ended and deletes its recipient and content. */
export async function endEmail(
  db: Db,
  id: string,
  state: 'sent' | 'given_up',
  now: Date,
): Promise<void> {
  await db
    .updateTable('emails')
    .set({ state, ended_at: now, recipient: null, content: null })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Releases a claim and schedules a later attempt; no effect if the claim is lost. */
export async function postponeEmail(
  db: Db,
  { id, attempts }: ClaimedEmail,
  dueAt: Date,
): Promise<void> {
  await db
    .updateTable('emails')
    .set({ due_at: dueAt })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)
    .execute();
}

/** By emails_ended. */
export async function deleteEndedEmails(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('emails')
    .where('state', '<>', 'waiting')
    .where('ended_at', '<', before)
    .execute();
}

/** The number of emails in each state. */
export async function countEmailsByState(db: Db): Promise<{ state: string; count: number }[]> {
  return await db
    .selectFrom('emails')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
}

/** By email_choices_pkey. */
export async function selectUnwanted(db: Db, userId: string): Promise<readonly string[]> {
  const row = await db
    .selectFrom('email_choices')
    .select('unwanted')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.unwanted ?? [];
}

export async function upsertUnwanted(
  db: Db,
  userId: string,
  unwanted: readonly string[],
  now: Date,
): Promise<void> {
  const choice = { unwanted: [...unwanted], updated_at: now };
  await db
    .insertInto('email_choices')
    .values({ user_id: userId, ...choice })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(choice))
    .execute();
}
