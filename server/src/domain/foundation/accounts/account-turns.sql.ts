import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';

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
export async function noteTurn(
  db: Db,
  queue: 'first-imports' | 'later-imports',
  userId: string,
): Promise<void> {
  await sql`
    insert into account_turns (account_id, queue)
    select account_id, ${queue} from users where id = ${userId}
    on conflict (account_id, queue) do update set turn = excluded.turn`.execute(db);
}
