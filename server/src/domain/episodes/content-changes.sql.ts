import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { creditsUser } from '../permissions/index.ts';

/** The podcast itself, or one of its episodes. */
export interface ChangedContent {
  /** Null: the podcast. */
  readonly episodeId: string | null;
  /** Null: it was deleted. */
  readonly revision: number | null;
}

interface Query {
  readonly podcastId: string;
  readonly since: string | undefined;
  /** Only episodes that credit this user, and the podcast. */
  readonly creditedUserId: string | undefined;
  readonly limit: number;
}

/** One statement; by content_changes_by_transaction. */
export async function selectContentChanges(
  db: Db,
  { podcastId, since, creditedUserId, limit }: Query,
): Promise<{ readonly snapshot: string; readonly changed: readonly ChangedContent[] }> {
  const isSeen =
    creditedUserId === undefined
      ? sql`true`
      : sql`(c.subject_id = c.podcast_id or ${creditsUser(sql`${creditedUserId}::uuid`)})`;
  const { rows } = await sql<{ snapshot: string; changed: readonly ChangedContent[] | null }>`
    select pg_current_snapshot()::text as snapshot, (
      select json_agg(json_build_object('episodeId', id, 'revision', revision)) from (
        select nullif(c.subject_id, c.podcast_id) as id, coalesce(e.revision, p.revision) as revision
        from content_changes c
        left join episodes e on e.id = c.subject_id
        left join podcasts p on p.id = c.subject_id
        where c.podcast_id = ${podcastId}
          and c.xid >= pg_snapshot_xmin(${since ?? null}::pg_snapshot)
          and not pg_visible_in_snapshot(c.xid, ${since ?? null}::pg_snapshot)
          and ${isSeen}
        limit ${limit}
      ) as subject
    ) as changed`.execute(db);
  const [found] = rows;
  return { snapshot: found?.snapshot ?? '', changed: found?.changed ?? [] };
}
