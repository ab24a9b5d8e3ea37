import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { podcastFields } from '../../../lib/fields/podcast-fields.ts';
import { getPlan } from '../../foundation/accounts/index.ts';
import { columnList, type Db } from '../../foundation/database.ts';
import { verifiedDomain } from '../../publishing/podcasts/index.ts';
import { bioStartChars, type PublicPodcast, type RosterCredit } from './public-podcast.ts';

/** Members alone see which keys may read the show. */
const publicFields = Object.keys(podcastFields).filter((field) => field !== 'teamKeys');

/** Names a show by its id or its current slug. */
export type PublicPodcastRef = { readonly id: string } | { readonly slug: string };

type Row = Omit<PublicPodcast, 'roster'> & { plan: string; roster: RosterCredit[] | null };

/** Selects a picture as {id, contentType, width, height, color}, or null. */
export const imageRef = (alias: string) => sql`case when ${sql.ref(`${alias}.id`)} is not null then
  json_build_object('id', ${sql.ref(`${alias}.id`)}, 'contentType', ${sql.ref(`${alias}.content_type`)},
    'width', ${sql.ref(`${alias}.width`)}, 'height', ${sql.ref(`${alias}.height`)}, 'color', ${sql.ref(`${alias}.color`)}) end`;

/** The columns of a credit beside those of a PublicCredit; from `people person`. */
export const creditGroup = (alias: 'person' | 'credit') =>
  sql`'group', ${sql.ref(`${alias}.group`)}`;
export const creditLink = sql`'linkUrl', person.link_url`;
export const creditBio = sql`'bioStart', left(person.bio, ${sql.lit(bioStartChars)})`;

/**
 * Selects credits in their order as a JSON array, or null; from `people person`, `images photo` and
 * the table with the role. Selects no `columns` that its reader does not show: they are long.
 */
export const creditsOf = (alias: 'person' | 'credit', columns: readonly RawBuilder<unknown>[]) =>
  sql`json_agg(json_build_object(${sql.join([
    sql`'name', person.name, 'role', ${sql.ref(`${alias}.role`)}, 'photo', ${imageRef('photo')}`,
    ...columns,
  ])}) order by ${sql.ref(`${alias}.position`)}, ${sql.ref(`${alias}.id`)})`;

const rosterColumns = [creditGroup('person'), creditLink, creditBio];

/**
 * One round trip: by podcasts_pkey or podcasts_slug_key, then podcast_domains_pkey, people_of_podcast,
 * podcast_directories_pkey, episodes_public.
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
      ${verifiedDomain('p')} as domain, account.plan, ${imageRef('artwork')} as artwork,
      ${imageRef('header')} as "headerImage",
      (select ${creditsOf('person', rosterColumns)}
        from people person left join images photo on photo.id = person.photo_id
        where person.podcast_id = p.id and person.roster) as roster,
      (select coalesce(json_agg(json_build_object('directory', listed.directory, 'url', listed.url)),
          '[]')
        from podcast_directories listed
        where listed.podcast_id = p.id and listed.status = 'listed' and listed.url is not null)
        as listings,
      (select element->>'text' from jsonb_array_elements(p.extra_elements) element
        where lower(element->>'name') = 'podcast:updatefrequency' limit 1) as "releaseSchedule",
      least(
        (select min(e.public_from) from episodes e
          where e.podcast_id = p.id and e.public_from > ${now}),
        (select min((element->>'expiresAt')::timestamptz)
          from jsonb_array_elements(p.extra_elements) element
          where (element->>'expiresAt')::timestamptz > ${now})) as "nextChangeAt"
    from podcasts p
    join accounts account on account.id = p.account_id
    left join images artwork on artwork.id = p.artwork_id
    left join images header on header.id = p.header_image_id
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

/** A show as another one recommends it. */
export interface RecommendedShow
  extends Pick<
    PublicPodcast,
    'guid' | 'slug' | 'domain' | 'title' | 'artwork' | 'status' | 'statusBeforeSuspension'
  > {}

/** Shows in any status. By podcasts_by_guid, then podcast_domains_pkey and images_pkey. */
export async function selectShowsByGuid(
  db: Db,
  guids: readonly string[],
): Promise<RecommendedShow[]> {
  const { rows } = await sql<RecommendedShow>`
    select p.guid, p.slug, ${verifiedDomain('p')} as domain, p.title, ${imageRef('artwork')} as artwork,
      p.status, p.status_before_suspension as "statusBeforeSuspension"
    from podcasts p left join images artwork on artwork.id = p.artwork_id
    where p.guid = any (${guids}::text[]) order by p.id`.execute(db);
  return rows;
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

/** Episodes of a season that are public. Without a season, an episode is in the first one. */
export interface SeasonCount {
  readonly season: number;
  readonly name: string | null;
  readonly count: number;
}

/**
 * The last `limit` seasons, the newest first, each with the name that its newest episode gives it. Counts by an
 * index-only scan of episodes_public_by_season.
 */
export async function countBySeason(
  db: Db,
  podcastId: string,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<SeasonCount[]> {
  const { rows } = await sql<SeasonCount>`
    select s.season, s.count, (
      select e.season_name from episodes e
      where e.podcast_id = ${podcastId} and e.episode_type = 'full' and e.public_season = s.season
        and e.public_from <= ${now} order by e.public_from desc, e.id desc limit 1) as name
    from (select public_season as season, count(*)::integer as count from episodes
      where podcast_id = ${podcastId} and public_from <= ${now}
      group by public_season order by public_season desc limit ${limit}) s
    order by s.season desc`.execute(db);
  return rows;
}

/**
 * How many public episodes were published from each of these moments until the next one; those without any are
 * left out. By an index-only scan of episodes_public.
 */
export async function countBetween(
  db: Db,
  podcastId: string,
  moments: readonly Date[],
  now: Date,
): Promise<{ readonly index: number; readonly count: number }[]> {
  const { rows } = await sql<{ index: number; count: number }>`
    select width_bucket(public_from, ${moments}::timestamptz[]) - 1 as index, count(*)::integer as count
    from episodes where podcast_id = ${podcastId} and public_from <= ${now}
    group by 1 order by 1 desc`.execute(db);
  return rows.filter(({ index }) => index >= 0);
}
