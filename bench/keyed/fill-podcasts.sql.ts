import { sql } from 'kysely';
import type { Db } from '../../server/src/domain/foundation/database.ts';

/** Podcasts of one user, one older than the other, all of them empty. */
export async function insertPodcasts(
  db: Db,
  input: { readonly ownerId: string; readonly slug: string; readonly count: number },
): Promise<void> {
  const { ownerId, slug, count } = input;
  await sql`
    with made as (
      insert into podcasts (id, account_id, slug, guid, title, author, description,
        created_at, updated_at)
      select gen_random_uuid(), u.account_id, ${slug}::text || '-' || n, gen_random_uuid()::text,
        'Show number ' || n, u.name, 'One of many.', moment, moment
      from users u, generate_series(1, ${count}::int) n
      cross join lateral (
        select date_trunc('milliseconds', now()) - n * interval '1 hour' as moment) at
      where u.id = ${ownerId}
      returning id, created_at)
    insert into podcast_members (podcast_id, podcast_created_at, user_id, role, created_at)
    select id, created_at, ${ownerId}::uuid, 'owner', created_at from made`.execute(db);
}

/** Credits a person on the newest `count` episodes of the show. */
export async function creditNewest(
  db: Db,
  input: { readonly podcastId: string; readonly personId: string; readonly count: number },
): Promise<void> {
  const { podcastId, personId, count } = input;
  await sql`
    insert into episode_credits (id, episode_id, person_id, role, "group", position)
    select gen_random_uuid(), e.id, ${personId}::uuid, 'host', 'cast', 0
    from episodes e where e.podcast_id = ${podcastId}
    order by e.listed_at desc limit ${count}`.execute(db);
}
