import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { ListedPodcast, PodcastListQuery } from './listed-podcast.ts';

/**
 * The caller adds one to `limit` to see whether there is another page. By podcasts_in_order, or
 * podcast_members_of_user.
 */
export function selectPodcastList(
  db: Db,
  { ownerId, after, limit }: PodcastListQuery,
): Promise<ListedPodcast[]> {
  return db
    .selectFrom('podcasts')
    .innerJoin('podcast_members as member', (join) =>
      join.onRef('member.podcast_id', '=', 'podcasts.id').on('member.role', '=', 'owner'),
    )
    .innerJoin('users', 'users.id', 'member.user_id')
    .select([
      'podcasts.id',
      'podcasts.slug',
      'podcasts.title',
      'podcasts.status',
      'podcasts.created_at as createdAt',
      'users.email as ownerEmail',
    ])
    .$if(ownerId !== undefined, (query) => query.where('member.user_id', '=', String(ownerId)))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(podcasts.created_at, podcasts.id) > (${after?.createdAt}, ${after?.id})`,
      ),
    )
    .orderBy('podcasts.created_at')
    .orderBy('podcasts.id')
    .limit(limit)
    .execute();
}

/** Lists former slugs, oldest first. By podcast_slugs_of_podcast. */
export async function selectPreviousSlugs(
  db: Db,
  { id, slug }: { readonly id: string; readonly slug: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('podcast_slugs')
    .select('slug')
    .where('podcast_id', '=', id)
    .where('slug', '<>', slug)
    .orderBy('created_at')
    .orderBy('slug')
    .execute();
  return rows.map((row) => row.slug);
}
