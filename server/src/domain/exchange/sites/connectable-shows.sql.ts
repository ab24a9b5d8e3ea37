import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { administers, planIncludesApi } from '../../foundation/permissions/index.ts';
import type { PodcastPosition } from '../../publishing/podcasts/index.ts';

/** A show that its user owns or administers. */
export interface ManagedShow {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly createdAt: Date;
  /** Why it cannot be connected (SITE-3); null: it can. */
  readonly obstacle: 'hosted_elsewhere' | 'plan_lapsed' | 'plan_without_api' | null;
}

interface ManagedShowsQuery {
  readonly limit: number;
  readonly after?: PodcastPosition | undefined;
  /** Only of these. */
  readonly podcastIds?: readonly string[] | undefined;
}

/**
 * The shows that a user owns or administers, oldest first. By podcast_members_of_user, or by
 * podcast_members_pkey.
 */
export async function selectManagedShows(
  db: Db,
  userId: string,
  { limit, after, podcastIds }: ManagedShowsQuery,
): Promise<ManagedShow[]> {
  const isNamed =
    podcastIds === undefined
      ? sql<SqlBool>`true`
      : sql<SqlBool>`m.podcast_id = any (${podcastIds}::uuid[])`;
  const isAfter =
    after === undefined
      ? sql<SqlBool>`true`
      : sql<SqlBool>`(m.podcast_created_at, m.podcast_id) > (${after.createdAt}, ${after.id})`;
  const { rows } = await sql<ManagedShow>`
    select p.id, p.slug, p.title, p.created_at as "createdAt",
      case when p.hosting_type <> 'hosted' then 'hosted_elsewhere'
        when owning.plan_state <> 'active' then 'plan_lapsed'
        when not ${planIncludesApi} then 'plan_without_api' end as obstacle
    from podcast_members m
    join podcasts p on p.id = m.podcast_id
    join accounts owning on owning.id = p.account_id
    where m.user_id = ${userId} and ${administers} and ${isNamed} and ${isAfter}
    order by m.podcast_created_at, m.podcast_id
    limit ${limit}`.execute(db);
  return rows;
}
