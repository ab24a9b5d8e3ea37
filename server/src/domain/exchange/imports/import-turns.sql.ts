import { sql } from 'kysely';
import { noteTurn } from '../../foundation/accounts/index.ts';
import type { Db } from '../../foundation/database.ts';
import type { Import, ImportHolder, TurnKind } from './import.ts';

/** A running import, for the choice of the next one. */
export type TurnCandidate = Pick<Import, 'id' | 'ownerId' | 'attempts' | 'lease'>;

/** Until the transaction ends, no other process gives imports their turns. */
export async function lockTurns(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('turns of imports', 0))`.execute(db);
}

/**
 * All running imports: those of the account whose last turn of this kind is the longest ago first, and
 * of these the one that has waited longest; by imports_running.
 */
export async function selectTurnCandidates(db: Db, kind: TurnKind): Promise<TurnCandidate[]> {
  const rows = await db
    .selectFrom('imports as i')
    .innerJoin('users as u', 'u.id', 'i.owner_id')
    .leftJoin('account_turns as t', (join) =>
      join.onRef('t.account_id', '=', 'u.account_id').on('t.queue', '=', queueOf(kind)),
    )
    .select((column) => [
      'i.id',
      'i.owner_id as ownerId',
      'i.attempts',
      column.ref('i.holder').$castTo<ImportHolder | null>().as('holder'),
      'i.lease_until as until',
    ])
    .where('i.state', '=', 'running')
    .orderBy('t.turn', (order) => order.asc().nullsFirst())
    .orderBy('i.updated_at')
    .orderBy('i.id')
    .execute();
  return rows.map(({ holder, until, ...row }) => ({
    ...row,
    lease: holder === null || until === null ? null : { holder, until },
  }));
}

/** Notes that the account of this user has had a turn. */
export function noteImportTurn(db: Db, kind: TurnKind, ownerId: string): Promise<void> {
  return noteTurn(db, queueOf(kind), ownerId);
}

/**
 * Whether another import has waited since then for a turn of this kind, and may have it: its account
 * has no other import in such a turn. By imports_running.
 */
export async function isAnotherWaiting(
  db: Db,
  kind: TurnKind,
  { besides, since }: { readonly besides: string; readonly since: Date },
): Promise<boolean> {
  const found = await db
    .selectFrom('imports as i')
    .select('i.id')
    .where('i.state', '=', 'running')
    .where('i.id', '<>', besides)
    .where('i.attempts', kind === 'first' ? '=' : '>', 0)
    .where('i.updated_at', '<=', since)
    .where(({ eb, or }) => or([eb('i.holder', 'is', null), eb('i.lease_until', '<', since)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('imports as other')
            .select('other.id')
            .where('other.state', '=', 'running')
            .where('other.id', '<>', besides)
            .whereRef('other.owner_id', '=', 'i.owner_id')
            .where(sql<boolean>`other.holder ->> 'turn' = ${kind}`)
            .where('other.lease_until', '>=', since),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

function queueOf(kind: TurnKind): 'first-imports' | 'later-imports' {
  return `${kind}-imports`;
}
