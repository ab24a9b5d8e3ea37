import { type SqlBool, sql } from 'kysely';
import { podcastFields } from '../../../lib/fields/podcast-fields.ts';
import { getPlan } from '../../foundation/accounts/index.ts';
import { columnList, type Db } from '../../foundation/database.ts';
import type { PublicCredit, PublicPodcast } from './public-podcast.ts';

/** Members alone see which keys may read the show. */
const publicFields = Object.keys(podcastFields).filter((field) => field !== 'teamKeys');

/** Names a show by its id or its current slug. */
export type PublicPodcastRef = { readonly id: string } | { readonly slug: string };

type Row = Omit<PublicPodcast, 'roster'> & { plan: string; roster: PublicCredit[] | null };

/** Selects a picture as {id, contentType, width, height, color}, or null. */
export const imageRef = (alias: string) => sql`case when ${sql.ref(`${alias}.id`)} is not null then
  json_build_object('id', ${sql.ref(`${alias}.id`)}, 'contentType', ${sql.ref(`${alias}.content_type`)},
    'width', ${sql.ref(`${alias}.width`)}, 'height', ${sql.ref(`${alias}.height`)}, 'color', ${sql.ref(`${alias}.color`)}) end`;

/**
 * One round trip: by podcasts_pkey or podcasts_slug_key, then people_of_podcast, podcast_directories_pkey,
 * episodes_public.
 */
export async function selectPublicPodcast(
  db: Db,
  ref: PublicPodcastRef,
  now: Date,
): Promise<PublicPodcast | undefined> {
  const wanted: ReturnType<typeof sql<SqlBool>> =
    'id' in ref ? sql`p.id = ${ref.id}` : sql`p.slug = ${ref.slug}`;
  const { rows } = await sql<Row>`
    select p.id, p.guid, ${columnList('p', publicFields)}, p.status,
      p.status_before_suspension as "statusBeforeSuspension", p.paused_at as "pausedAt",
      p.created_at as "createdAt", p.updated_at as "updatedAt",
      account.plan, ${imageRef('artwork')} as artwork,
      (select json_agg(json_build_object('name', person.name, 'role', person.role,
          'group', person."group", 'linkUrl', person.link_url, 'bio', person.bio,
          'photo', ${imageRef('photo')}) order by person.position, person.id)
        from people person left join images photo on photo.id = person.photo_id
        where person.podcast_id = p.id and person.roster) as roster,
      (select coalesce(json_agg(json_build_object('directory', listed.directory, 'url', listed.url)),
          '[]')
        from podcast_directories listed
        where listed.podcast_id = p.id and listed.status = 'listed' and listed.url is not null)
        as listings,
      (select min(e.public_from) from episodes e
        where e.podcast_id = p.id and e.public_from > ${now}) as "nextPublicationAt"
    from podcasts p
    join accounts account on account.id = p.account_id
    left join images artwork on artwork.id = p.artwork_id
    where ${wanted}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { plan, roster, showPoweredBy, ...show } = row;
  return {
    ...show,
    roster: roster ?? [],
    showPoweredBy: getPlan(plan).alwaysPoweredBy || showPoweredBy,
  };
}

/**
 * Finds the current slug of the podcast that has, or ever had, this slug. By podcast_slugs_pkey.
 */
export async function selectCurrentSlug(
  db: Db,
  slug: string,
): Promise<{ podcastId: string; slug: string } | undefined> {
  return db
    .selectFrom('podcast_slugs as used')
    .innerJoin('podcasts as p', 'p.id', 'used.podcast_id')
    .select(['p.id as podcastId', 'p.slug'])
    .where('used.slug', '=', slug)
    .executeTakeFirst();
}

/** Counts by an index-only scan of episodes_public. */
export async function countPublicEpisodes(db: Db, podcastId: string, now: Date): Promise<number> {
  const row = await db
    .selectFrom('episodes')
    .select(sql<number>`count(*)`.as('count'))
    .where('podcast_id', '=', podcastId)
    .where('public_from', '<=', now)
    .executeTakeFirstOrThrow();
  return row.count;
}
