import { type RawBuilder, sql } from 'kysely';
import type { UtcDay } from '../../../lib/utc-day.ts';
import { downloadsOfMonth, type Month } from '../../audience/overage/index.ts';
import type { Db } from '../../foundation/database.ts';
import type { EpisodeStatus, PlanState } from '../../foundation/enumerations.ts';
import { creditsUser } from '../../foundation/permissions/index.ts';
import { type ImageRef, imageRef } from '../../public/catalogue/index.ts';

/** A show on the page, and whether its member sees every episode. */
interface ShownPodcast {
  readonly id: string;
  readonly seesAll: boolean;
}

interface HomeQuery {
  readonly userId: string;
  readonly now: Date;
  /** The seven days end before `until`; the seven before them begin on `before`. */
  readonly before: UtcDay;
  readonly from: UtcDay;
  readonly until: UtcDay;
}

/** What is known of one show. Times are ISO 8601 text, because they come as JSON. */
export interface HomeFacts {
  readonly podcastId: string;
  readonly artwork: ImageRef | null;
  readonly category: string | null;
  readonly planState: 'active' | 'lapsed';
  readonly counts: Readonly<Record<EpisodeStatus, number>>;
  readonly draftsWithoutAudio: number;
  readonly scheduledWithoutAudio: number;
  readonly nextScheduled: { id: string; title: string; scheduledFor: string } | null;
  readonly latest: { id: string; title: string; publishedAt: string } | null;
  readonly downloads: number;
  readonly previousDownloads: number;
  /** The newest import of the show, if it failed and is the user's own. */
  readonly failedImport: { id: string; failedAt: string } | null;
}

/**
 * One statement for a page of shows. Per show: counts by an index-only scan of
 * episodes_listed_by_status, the newest episode by episodes_public, downloads by
 * podcast_download_days_pkey, imports by imports_of_podcast.
 */
export async function selectHomeFacts(
  db: Db,
  shows: readonly ShownPodcast[],
  { userId, now, before, from, until }: HomeQuery,
): Promise<HomeFacts[]> {
  const isSeen = sql`(shown.sees_all or ${creditsUser(sql`${userId}::uuid`)})`;
  const without = sql`not exists (select from audio_files a where a.episode_id = e.id)`;
  const { rows } = await sql<HomeFacts>`
    select p.id as "podcastId", ${imageRef('artwork')} as artwork, p.category,
      owning.plan_state as "planState", counted.counts,
      counted.drafts_without as "draftsWithoutAudio",
      counted.scheduled_without as "scheduledWithoutAudio",
      (select json_build_object('id', e.id, 'title', e.title, 'scheduledFor', e.scheduled_for)
        from episodes e
        where e.podcast_id = p.id and e.status = 'scheduled' and e.listed_at > ${now} and ${isSeen}
        order by e.listed_at, e.id limit 1) as "nextScheduled",
      (select json_build_object('id', e.id, 'title', e.title, 'publishedAt', e.public_from)
        from episodes e
        where e.podcast_id = p.id and e.public_from <= ${now} and ${isSeen}
        order by e.public_from desc, e.id desc limit 1) as latest,
      week.downloads, week.previous as "previousDownloads",
      (select json_build_object('id', i.id, 'failedAt', i.updated_at)
        from (select * from imports where podcast_id = p.id and not dry_run
          order by created_at desc, id desc limit 1) i
        where i.state = 'failed' and i.owner_id = ${userId}) as "failedImport"
    from unnest(${shows.map(({ id }) => id)}::uuid[], ${shows.map(({ seesAll }) => seesAll)}::boolean[])
      with ordinality as shown (id, sees_all, place)
    join podcasts p on p.id = shown.id
    join accounts owning on owning.id = p.account_id
    left join images artwork on artwork.id = p.artwork_id
    cross join lateral (
      select json_build_object(
          'pending_confirmation', count(*) filter (where e.status = 'pending_confirmation'),
          'draft', count(*) filter (where e.status = 'draft'),
          'scheduled', count(*) filter (where e.status = 'scheduled' and e.listed_at > ${now}),
          'published', count(*) filter (where e.status = 'published'
            or (e.status = 'scheduled' and e.listed_at <= ${now})),
          'archived', count(*) filter (where e.status = 'archived')) as counts,
        count(*) filter (where e.status = 'draft' and ${without}) as drafts_without,
        count(*) filter (where e.status = 'scheduled' and e.listed_at > ${now} and ${without})
          as scheduled_without
      from episodes e where e.podcast_id = p.id and ${isSeen}
    ) counted
    cross join lateral (
      select coalesce(sum(d.downloads) filter (where d.day >= ${from}), 0)::bigint as downloads,
        coalesce(sum(d.downloads) filter (where d.day < ${from}), 0)::bigint as previous
      from podcast_download_days d
      where d.podcast_id = p.id and d.day >= ${before}::date and d.day < ${until}::date
    ) week
    order by shown.place`.execute(db);
  return rows;
}

export interface FirstStepFacts {
  /** It is hosted here, and no import has made it. */
  readonly beganHere: boolean;
  readonly firstPublicAt: Date | null;
  readonly hasAudio: boolean;
  /** The newest of them that are not public yet. */
  readonly draftWithoutAudio: string | null;
  readonly unpublishedWithAudio: string | null;
}

/** One statement: by podcasts_pkey, imports_of_podcast, episodes_public and episodes_listed. */
export async function selectFirstStepFacts(
  db: Db,
  podcastId: string,
  now: Date,
): Promise<FirstStepFacts | undefined> {
  const audio = sql`exists (select from audio_files a where a.episode_id = e.id)`;
  const shown = sql`e.podcast_id = p.id and e.status <> 'archived'`;
  const waits = sql`(e.public_from is null or e.public_from > ${now})`;
  const newest = sql`order by e.listed_at desc, e.id desc limit 1`;
  const { rows } = await sql<FirstStepFacts>`
    select p.hosting_type = 'hosted' and not exists (
        select from imports i where i.podcast_id = p.id and not i.dry_run) as "beganHere",
      (select e.public_from from episodes e where e.podcast_id = p.id and e.public_from <= ${now}
        order by e.public_from, e.id limit 1) as "firstPublicAt",
      exists (select from episodes e where ${shown} and ${audio}) as "hasAudio",
      (select e.id from episodes e
        where ${shown} and ${waits} and not ${audio} ${newest}) as "draftWithoutAudio",
      (select e.id from episodes e
        where ${shown} and ${waits} and ${audio} ${newest}) as "unpublishedWithAudio"
    from podcasts p where p.id = ${podcastId}`.execute(db);
  return rows[0];
}

/** Times are ISO 8601 text, because they come as JSON. */
export interface AccountFacts {
  readonly accountId: string;
  readonly plan: string;
  readonly planState: PlanState;
  readonly acceptedTerms: string | null;
  /** Of the month, of all shows of the account. */
  readonly downloads: number;
  readonly newEmails: readonly { email: string; expiresAt: string }[];
  readonly expiring: readonly {
    id: string;
    name: string;
    expiresAt: string;
    siteId: string | null;
    siteUrl: string | null;
  }[];
  readonly failedImports: readonly { id: string; failedAt: string }[];
}

interface AccountFactsQuery {
  readonly now: Date;
  readonly month: Month;
  readonly expiresBy: Date;
  readonly failedAfter: Date;
}

const mostListed = 10;
const listOf = (rows: RawBuilder<unknown>) =>
  sql`(select coalesce(json_agg(row_to_json(listed)), '[]') from (${rows}) listed)`;

/**
 * One statement. By users_pkey, podcasts_of_account with podcast_download_months_pkey,
 * email_links_of_user, api_keys_of_user with api_key_secrets_of_key, and imports_of_owner_by_age.
 */
export async function selectAccountFacts(
  db: Db,
  userId: string,
  { now, month, expiresBy, failedAfter }: AccountFactsQuery,
): Promise<AccountFacts | undefined> {
  const { rows } = await sql<AccountFacts>`
    select owned.id as "accountId", owned.plan, owned.plan_state as "planState", u.accepted_terms as "acceptedTerms",
      (select coalesce(sum(${downloadsOfMonth(month)}), 0)::bigint from podcasts p
        where p.account_id = owned.id) as downloads,
      ${listOf(sql`select email, expires_at as "expiresAt" from email_links
        where user_id = u.id and purpose = 'change_email' and expires_at > ${now}
        order by created_at desc limit 1`)} as "newEmails",
      ${listOf(sql`select k.id, k.name, s.expires_at as "expiresAt",
          site.id as "siteId", site.site_url as "siteUrl"
        from api_keys k join api_key_secrets s on s.key_id = k.id and not s.replaced
        left join sites site on site.key_id = k.id
        where k.user_id = u.id and k.revoked_at is null and (k.kind = 'user' or site.id is not null)
          and s.expires_at > ${now} and s.expires_at <= ${expiresBy}
        order by s.expires_at limit ${mostListed}`)} as expiring,
      ${listOf(sql`select i.id, i.updated_at as "failedAt" from imports i
        where i.owner_id = u.id and i.state = 'failed' and i.podcast_id is null and not i.dry_run
          and i.created_at > ${failedAfter} and not exists (
            select from imports newer
            where newer.owner_id = u.id and not newer.dry_run
              and newer.source_url is not distinct from i.source_url
              and (newer.created_at, newer.id) > (i.created_at, i.id))
        order by i.created_at desc, i.id desc limit ${mostListed}`)} as "failedImports"
    from users u join accounts owned on owned.id = u.account_id
    where u.id = ${userId}`.execute(db);
  return rows[0];
}
