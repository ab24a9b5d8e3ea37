import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Language } from '../../../lib/languages.ts';
import { type Db, toRow } from '../database.ts';
import type { PlanState } from '../enumerations.ts';
import { isEmailOf } from '../is-email-of.sql.ts';
import type { Account, ListedUser, User, UserPosition } from './user.ts';

export async function insertAccount(
  db: Db,
  account: { id: string; plan: string; planState: PlanState; createdAt: Date },
): Promise<void> {
  await db.insertInto('accounts').values(toRow(account)).execute();
}

export async function insertUser(
  db: Db,
  user: User & {
    passwordHash: string;
    acceptedTerms: string | undefined;
    language: Language | undefined;
    createdAt: Date;
  },
): Promise<void> {
  await db.insertInto('users').values(toRow(user)).execute();
}

const userColumns = ['id', 'account_id as accountId', 'email', 'name'] as const;

/** By users_email. */
export function selectUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db.selectFrom('users').select(userColumns).where(isEmailOf(email)).executeTakeFirst();
}

/** By users_email. */
export function selectCredentials(
  db: Db,
  email: string,
): Promise<(User & { readonly passwordHash: string }) | undefined> {
  return db
    .selectFrom('users')
    .select([...userColumns, 'password_hash as passwordHash'])
    .where(isEmailOf(email))
    .executeTakeFirst();
}

/** By the primary key. */
export function selectUser(db: Db, userId: string): Promise<User | undefined> {
  return db.selectFrom('users').select(userColumns).where('id', '=', userId).executeTakeFirst();
}

/** By users_in_order; oldest first. */
export function selectUserList(
  db: Db,
  { after, limit }: { readonly after?: UserPosition | undefined; readonly limit: number },
): Promise<Omit<ListedUser, 'includedBytes'>[]> {
  return db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([
      'users.id',
      'users.email',
      'users.name',
      'accounts.plan',
      'accounts.plan_state as planState',
      'users.created_at as createdAt',
      sql<number>`(select coalesce(sum(s.audio_bytes + s.image_bytes), 0)::bigint
        from podcasts p join podcast_storage s on s.podcast_id = p.id
        where p.account_id = accounts.id)`.as('storedBytes'),
    ])
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(users.created_at, users.id) > (${after?.createdAt}, ${after?.id})`),
    )
    .orderBy('users.created_at')
    .orderBy('users.id')
    .limit(limit)
    .execute();
}

/** By users_account_id_key. */
export function selectUserOfAccount(db: Db, accountId: string): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .select(userColumns)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** By the primary key. */
export async function selectPasswordHash(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('password_hash as passwordHash')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.passwordHash;
}

/**
 * Locks the row until the transaction ends, which serializes changes of a user's password and keys.
 */
export function selectUserForUpdate(
  db: Db,
  userId: string,
): Promise<(User & { readonly passwordHash: string }) | undefined> {
  return db
    .selectFrom('users')
    .select([...userColumns, 'password_hash as passwordHash'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function updateUser(
  db: Db,
  userId: string,
  fields: {
    readonly email?: string;
    readonly name?: string;
    readonly passwordHash?: string;
    readonly acceptedTerms?: string;
    readonly language?: Language;
  },
): Promise<void> {
  await db.updateTable('users').set(toRow(fields)).where('id', '=', userId).execute();
}

/** By the primary key. */
export function selectAccount(db: Db, accountId: string): Promise<Account | undefined> {
  return db
    .selectFrom('accounts')
    .select(['id', 'plan', 'plan_state as planState'])
    .where('id', '=', accountId)
    .executeTakeFirst();
}

/** By users_pkey. */
export function selectAccountOfUser(db: Db, userId: string): Promise<Account | undefined> {
  return db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.id', 'u.account_id')
    .select(['a.id', 'a.plan', 'a.plan_state as planState'])
    .where('u.id', '=', userId)
    .executeTakeFirst();
}

/** Returns whether it changed anything. */
export async function updatePlan(
  db: Db,
  input: { accountId: string; plan: string; planState: PlanState },
): Promise<boolean> {
  const updated = await db
    .updateTable('accounts')
    .set({ plan: input.plan, plan_state: input.planState })
    .where('id', '=', input.accountId)
    .where(({ eb, or }) =>
      or([eb('plan', '<>', input.plan), eb('plan_state', '<>', input.planState)]),
    )
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** By podcasts_of_account. */
export async function listPodcastIdsOfAccount(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('podcasts')
    .select('id')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map((row) => row.id);
}

/** Reads one row. */
export async function selectAnyUser(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Counts one more in the bucket's window, or starts a new window; by the primary key. */
export function countAttempt(
  db: Db,
  bucket: Buffer,
  { now, windowEndsAt }: { readonly now: Date; readonly windowEndsAt: Date },
): Promise<{ readonly count: number; readonly windowEndsAt: Date }> {
  return db
    .insertInto('attempts')
    .values({ bucket, count: 1, window_ends_at: windowEndsAt })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({
        count: sql<number>`case when attempts.window_ends_at <= ${now} then 1
          else attempts.count + 1 end`,
        window_ends_at: sql<Date>`case when attempts.window_ends_at <= ${now}
          then excluded.window_ends_at else attempts.window_ends_at end`,
      }),
    )
    .returning(['count', 'window_ends_at as windowEndsAt'])
    .executeTakeFirstOrThrow();
}

/** By attempts_by_end. */
export async function deleteEndedAttempts(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('attempts').where('window_ends_at', '<=', now).execute();
}

/** A table of work with the columns `account_id` and `due_at`, and the turns of its accounts. */
interface TurnQueue {
  readonly name: 'waveforms' | 'replacements';
  readonly table: RawBuilder<unknown>;
  /** A condition on rows of the table, as in its index of waiting accounts. */
  readonly isDue: RawBuilder<unknown>;
}

/** Work of no account counts as that of one. As in the indexes. */
const owner = sql`coalesce(account_id, '00000000-0000-0000-0000-000000000000'::uuid)`;

/**
 * Begins a statement with the common table expression `next`, of one row: `key`, of the work that has
 * been due longest, of the account whose last turn is the longest ago. The row is locked; rows that
 * others have locked are skipped. One look into the index for each account with due work, however much
 * that is.
 */
export function withNextWork(
  { name, table, isDue }: TurnQueue,
  key: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`with recursive due as (
      (select ${owner} as owner, due_at from ${table}
        where ${isDue} order by ${owner}, due_at limit 1)
      union all
      select following.* from due cross join lateral (
        select ${owner} as owner, due_at from ${table}
        where ${owner} > due.owner and ${isDue} order by ${owner}, due_at limit 1
      ) following
    ), waiting as materialized (
      select due.owner from due
      left join account_turns t on t.account_id = due.owner and t.queue = ${name}
      order by t.turn nulls first, due.due_at
    ), next as (
      select work.key from waiting cross join lateral (
        select ${key} as key from ${table}
        where ${owner} = waiting.owner and ${isDue} order by due_at limit 1
        for update skip locked
      ) work limit 1
    )`;
}

/** A common table expression that notes the turn of the account of a row in `claimed`. */
export function notedTurn(queue: TurnQueue['name']): RawBuilder<unknown> {
  return sql`noted as (
    insert into account_turns (account_id, queue)
    select a.id, ${queue} from claimed join accounts a on a.id = claimed.account_id
    on conflict (account_id, queue) do update set turn = excluded.turn
  )`;
}

/** Notes a turn of the account of this user. */
export async function recordTurn(
  db: Db,
  queue: 'first-imports' | 'later-imports',
  userId: string,
): Promise<void> {
  await sql`
    insert into account_turns (account_id, queue)
    select account_id, ${queue} from users where id = ${userId}
    on conflict (account_id, queue) do update set turn = excluded.turn`.execute(db);
}
