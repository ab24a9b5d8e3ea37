import { type RawBuilder, sql } from 'kysely';

type TurnQueue = 'waveforms' | 'replacements';

/**
 * Joins `account_id` of a waiting row with the account's last turn, as `t`: order by `t.turn nulls
 * first`. By account_turns_pkey.
 */
export function lastTurn(queue: TurnQueue, accountId: RawBuilder<string>): RawBuilder<unknown> {
  return sql`left join account_turns t on t.account_id = ${accountId} and t.queue = ${queue}`;
}

/** A common table expression that notes the turn of the account of a row in `claimed`. */
export function notedTurn(queue: TurnQueue): RawBuilder<unknown> {
  return sql`noted as (
    insert into account_turns (account_id, queue)
    select a.id, ${queue} from claimed join accounts a on a.id = claimed.account_id
    on conflict (account_id, queue) do update set turn = excluded.turn
  )`;
}
