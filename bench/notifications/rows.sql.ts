import { sql } from 'kysely';
import type { Db } from '../../server/src/domain/foundation/database.ts';

/** Schedules the newest episode of each show, evenly from `from` on. By slug: when. */
export async function scheduleNewest(
  db: Db,
  newest: number,
  { from, overSeconds }: { readonly from: Date; readonly overSeconds: number },
): Promise<ReadonlyMap<string, number>> {
  await sql`
    update episodes e set status = 'scheduled', published_at = null, scheduled_for =
      date_trunc('milliseconds', ${from}::timestamptz
        + place.n * ${overSeconds} / place.total * interval '1 second')
    from (select id, row_number() over (order by slug) as n, count(*) over () as total
      from podcasts) place
    where place.id = e.podcast_id and e.episode_number = ${newest}`.execute(db);
  const { rows } = await sql<{ slug: string; at: Date }>`
    select p.slug, e.scheduled_for as at from episodes e join podcasts p on p.id = e.podcast_id
    where e.status = 'scheduled'`.execute(db);
  return new Map(rows.map(({ slug, at }) => [slug, at.getTime()]));
}

/** Subscriptions of a show at `http://hN.test:PORT/s/M`, ten for each host, that have an old feed. */
export async function insertSubscribers(
  db: Db,
  podcastId: string,
  { count, port }: { readonly count: number; readonly port: number },
): Promise<void> {
  await sql`
    insert into hub_subscriptions (podcast_id, callback_hash, callback, host, secret, created_at,
      expires_at)
    select ${podcastId}, sha256(n::text::bytea), callback, 'h' || n / 10 || '.test',
      md5(n::text), now(), now() + interval '10 days'
    from generate_series(0, ${sql.lit(count - 1)}) n
    cross join lateral (select 'http://h' || n / 10 || '.test:' || ${port}::int || '/s/' || n
      as callback) named`.execute(db);
}
