import { sql } from 'kysely';
import type { UtcDay } from '../../../lib/utc-day.ts';
import type { Db } from '../../foundation/database.ts';
import type { EpisodeStatus, SuspensionCause } from '../../foundation/enumerations.ts';
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
  readonly suspendedFor: SuspensionCause | null;
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
      p.suspended_for as "suspendedFor",
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
