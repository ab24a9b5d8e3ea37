import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { Artwork, PodcastSettings } from './podcast-settings.ts';
import { podcastsOf } from './podcasts.sql.ts';

type SettingsRow = Omit<PodcastSettings, 'alwaysPoweredBy' | 'membership' | 'may'>;

/** One statement: by primary keys, and podcast_slugs_of_podcast. */
export async function selectPodcastSettings(
  db: Db,
  podcastId: string,
): Promise<SettingsRow | undefined> {
  const row = await podcastsOf(db)
    .select([
      sql<Artwork | null>`(select json_build_object('id', image.id,
          'contentType', image.content_type, 'width', image.width, 'height', image.height,
          'color', image.color)
        from images image where image.id = podcasts.artwork_id)`.as('artwork'),
      sql<string[]>`(select coalesce(json_agg(used.slug order by used.created_at, used.slug), '[]')
        from podcast_slugs used
        where used.podcast_id = podcasts.id and used.slug <> podcasts.slug)`.as('previousSlugs'),
      sql<string>`(select plan from accounts where id = podcasts.account_id)`.as('plan'),
      'podcasts.suspended_for as suspendedFor',
    ])
    .where('podcasts.id', '=', podcastId)
    .$castTo<SettingsRow>()
    .executeTakeFirst();
  return row;
}
