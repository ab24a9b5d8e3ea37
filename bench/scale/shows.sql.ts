import { sql } from 'kysely';
import type { Db } from '../../server/src/domain/foundation/database.ts';

/** A show with one of its episodes. */
export interface KnownShow {
  readonly id: string;
  readonly slug: string;
  readonly ownerId: string;
  readonly episodeId: string;
  readonly episodeSlug: string;
}

export async function selectShowsOf(db: Db, email: string, limit: number): Promise<KnownShow[]> {
  const { rows } = await sql<KnownShow>`
    select p.id, p.slug, u.id as "ownerId", e.id as "episodeId", e.slug as "episodeSlug"
    from users u join podcasts p on p.account_id = u.account_id
    cross join lateral (select id, slug from episodes where podcast_id = p.id limit 1) e
    where u.email = ${email} order by p.id limit ${limit}`.execute(db);
  return rows;
}

/** Rows that all statements so far have read, as PostgreSQL counts them. */
export async function countRowsRead(db: Db): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ rows: number }>`
    select (sum(seq_tup_read) + sum(idx_tup_fetch))::bigint as rows from pg_stat_user_tables`.execute(
    db,
  );
  return rows[0]?.rows ?? 0;
}
