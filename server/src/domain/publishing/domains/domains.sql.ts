import { type SqlBool, sql } from 'kysely';
import { columnList, type Db, toRow } from '../../foundation/database.ts';
import type { OwnDomain } from './domain.ts';

/** A domain with what its checks count. */
export interface CheckedDomain extends OwnDomain {
  readonly misses: number;
  readonly held: boolean;
}

const fields = [
  ...(['podcastId', 'host', 'state', 'token', 'found', 'checkedAt', 'triedAt', 'taken'] as const),
  ...(['lostAt', 'misses', 'held'] as const),
] satisfies readonly (keyof CheckedDomain)[];
const columns = columnList('d', fields);

/** By the primary key; `locked`: until the transaction ends. */
export async function selectDomain(
  db: Db,
  podcastId: string,
  { locked = false } = {},
): Promise<CheckedDomain | undefined> {
  const { rows } = await sql<CheckedDomain>`
    select ${columns} from podcast_domains d where d.podcast_id = ${podcastId}
    ${locked ? sql`for update` : sql``}`.execute(db);
  return rows[0];
}

export async function insertDomain(
  db: Db,
  domain: Pick<OwnDomain, 'podcastId' | 'host' | 'token'>,
  createdAt: Date,
): Promise<void> {
  await db
    .insertInto('podcast_domains')
    .values({ ...toRow(domain), created_at: createdAt })
    .execute();
}

/** Returns whether there was one. */
export async function deleteDomain(db: Db, podcastId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('podcast_domains')
    .where('podcast_id', '=', podcastId)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** The state after a check. Violates podcast_domains_held if another show holds the name. */
export async function updateDomain(
  db: Db,
  podcastId: string,
  changes: Partial<Omit<CheckedDomain, 'podcastId' | 'host' | 'token'>>,
): Promise<void> {
  const { found, ...others } = changes;
  await db
    .updateTable('podcast_domains')
    .set({ ...toRow(others), ...(found && { found: JSON.stringify(found) }) })
    .where('podcast_id', '=', podcastId)
    .execute();
}

/** Frees a name that another show lost before `lostBefore`. By podcast_domains_held. */
export async function freeLostDomain(db: Db, host: string, lostBefore: Date): Promise<void> {
  await db
    .updateTable('podcast_domains')
    .set({ held: false })
    .where('host', '=', host)
    .where('held', '=', true)
    .where('state', '=', 'lost')
    .where('lost_at', '<=', lostBefore)
    .execute();
}

/** Whether another show holds the name. By podcast_domains_held. */
export async function isHeldByOther(db: Db, host: string, podcastId: string): Promise<boolean> {
  const row = await db
    .selectFrom('podcast_domains')
    .select('podcast_id')
    .where('host', '=', host)
    .where('held', '=', true)
    .where('podcast_id', '<>', podcastId)
    .executeTakeFirst();
  return row !== undefined;
}

export interface VerifiedDomain {
  readonly host: string;
  readonly podcastId: string;
}

/** All, or those of these shows. By podcast_domains_held, or the primary key. */
export function selectVerifiedDomains(
  db: Db,
  podcastIds?: readonly string[],
): Promise<VerifiedDomain[]> {
  return db
    .selectFrom('podcast_domains')
    .select(['host', 'podcast_id as podcastId'])
    .where('held', '=', true)
    .where('state', '=', 'verified')
    .$if(podcastIds !== undefined, (query) => query.where('podcast_id', 'in', podcastIds ?? []))
    .execute();
}

/**
 * Those that were not checked since `triedBefore`; also those of the future, `triedAfter`: the clock was set
 * back. The oldest first, after them those whose name servers were silent the last time. By
 * podcast_domains_to_check.
 */
export function selectDomainsToCheck(
  db: Db,
  { triedBefore, triedAfter }: { readonly triedBefore: Date; readonly triedAfter: Date },
  limit: number,
): Promise<{ podcastId: string }[]> {
  return db
    .selectFrom('podcast_domains')
    .select('podcast_id as podcastId')
    .where(
      sql<SqlBool>`(tried_at is null or tried_at <= ${triedBefore} or tried_at > ${triedAfter})`,
    )
    .orderBy(sql`checked_at is distinct from tried_at`)
    .orderBy('tried_at', (order) => order.asc().nullsFirst())
    .orderBy('podcast_id')
    .limit(limit)
    .execute();
}
