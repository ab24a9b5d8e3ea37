import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { creditsUser } from '../../foundation/permissions/index.ts';

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

interface Found {
  readonly snapshot: string;
  /** Undefined: the snapshot `since` is of another database. */
  readonly changed: readonly ChangedContent[] | undefined;
}

/**
 * The present snapshot, as part of a URL: with many open transactions an older one, which takes
 * some changes for unseen.
 */
const presentSnapshot = sql<string>`(
  select case when length(s::text) > 1000 then format('%1$s:%1$s:', pg_snapshot_xmin(s))
    else s::text end
  from (select pg_current_snapshot() as s) as present)`;

export async function selectSnapshot(db: Db): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`
    select ${presentSnapshot} as snapshot`.execute(db);
  return rows[0]?.snapshot ?? '';
}

/** One statement; by content_changes_by_transaction. */
export async function selectContentChanges(
  db: Db,
  { podcastId, since, creditedUserId, limit }: Query,
): Promise<Found> {
  const isSeen =
    creditedUserId === undefined
      ? sql`true`
      : sql`(c.subject_id = c.podcast_id or ${creditsUser(sql`${creditedUserId}::uuid`)})`;
  const { rows } = await sql<{
    snapshot: string;
    isForeign: boolean | null;
    changed: readonly ChangedContent[] | null;
  }>`
    select ${presentSnapshot} as snapshot,
      pg_snapshot_xmax(${since ?? null}::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
        as "isForeign", (
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
  const changed = found?.isForeign === true ? undefined : (found?.changed ?? []);
  return { snapshot: found?.snapshot ?? '', changed };
}
