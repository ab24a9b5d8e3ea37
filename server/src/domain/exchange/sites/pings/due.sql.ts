import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import { siteStatus, sitesWithKeys } from '../sites.sql.ts';

/**
 * The pause between two pings of a site (SITE-39: at most one in ten seconds). After a failure
 * it is that of the first retry. Otherwise the holder of a site's key could call its feed all the
 * time, and so make us ping a host that does not respond.
 */
const pause = sql`(case when ping.failures = 0 or ping.claim is not null
  then interval '10 seconds' else interval '1 minute' end)`;

/** What has changed, and so which sites are concerned. */
export interface Concerned {
  readonly podcastIds: readonly string[];
  /** Podcasts of these accounts. */
  readonly accountIds: readonly string[];
  /** One user's sites that follow the podcast. */
  readonly members: readonly { readonly podcastId: string; readonly userId: string }[];
}

/**
 * Makes pings due for the active sites concerned, in one statement. By site_podcasts_of_podcast,
 * api_key_podcasts_of_podcast and sites_key_id_key.
 */
export async function makeConcernedDue(db: Db, concerned: Concerned, now: Date): Promise<void> {
  const { podcastIds, accountIds, members } = concerned;
  const ofMembers = members.map(({ podcastId }) => podcastId);
  const users = members.map(({ userId }) => userId);
  await makeDue(
    db,
    sql`
      with podcast (id, user_id) as (
        select id, null::uuid from unnest(${podcastIds}::uuid[]) named (id)
        union select id, null from podcasts where account_id = any (${accountIds}::uuid[])
        union select * from unnest(${ofMembers}::uuid[], ${users}::uuid[])
      )
      select site.id from podcast
      join site_podcasts followed on followed.podcast_id = podcast.id
      join sites site on site.id = followed.site_id
        and site.user_id = coalesce(podcast.user_id, site.user_id)
      union
      select site.id from podcast
      join api_key_podcasts named on named.podcast_id = podcast.id and named.blocked_at is null
      join sites site on site.key_id = named.key_id
        and site.user_id = coalesce(podcast.user_id, site.user_id)`,
    now,
  );
}

/** The same for one site. */
export async function makeSiteDue(db: Db, siteId: string, now: Date): Promise<void> {
  await makeDue(db, sql`select ${siteId}::uuid`, now);
}

/**
 * Never delays a ping that is due already. A site whose pings failed waits for its next retry, or
 * for good, unless it has called its feed since. If a ping is being sent, another one becomes due
 * after it. Locks rows in the order of their ids, to avoid deadlocks.
 */
async function makeDue(db: Db, siteIds: RawBuilder<unknown>, now: Date): Promise<void> {
  // At the latest one pause from now, also if the clock was set back.
  const at = sql`least(greatest(${now}, ping.sent_at + ${pause}), ${now}::timestamptz + ${pause})`;
  const hasCalled = sql`exists (select from site_calls call
    where call.site_id = ping.site_id and call.called_at > ping.sent_at)`;
  await sql`
    insert into site_pings as ping (site_id, due_at)
    select site.id, ${now} from ${sitesWithKeys}
    where site.id in (${siteIds}) and ${siteStatus(now)} = 'active'
    order by site.id
    on conflict (site_id) do update set
      due_at = ${at},
      failures = case when ${hasCalled} then 0 else ping.failures end,
      first_failed_at = case when ${hasCalled} then null else ping.first_failed_at end
    where (ping.failures = 0 or ping.claim is not null or ${hasCalled})
      and (ping.due_at is null or ping.due_at > ${at})`.execute(db);
}
