import { type InsertObject, type SqlBool, sql } from 'kysely';
import { podcastFields } from '../../../lib/fields/podcast-fields.ts';
import { columnsOf, type Db, type Tables, toRow, toRowOfLists } from '../../foundation/database.ts';
import type { PodcastStatus, SuspensionCause } from '../../foundation/enumerations.ts';
import type {
  Artwork,
  ListedPodcast,
  Podcast,
  PodcastFields,
  PodcastListQuery,
  PodcastSettings,
} from './podcast.ts';

const podcastColumns = columnsOf('podcasts', [
  ...Object.keys(podcastFields),
  ...['extraElements', 'id', 'accountId', 'guid', 'status', 'artworkId', 'headerImageId'],
  ...['createdAt', 'revision'],
]);

/** The own domain of a podcast, if it is verified; null otherwise. By podcast_domains_pkey. */
export const verifiedDomain = (podcast: string) => sql<string | null>`(
  select d.host from podcast_domains d
  where d.podcast_id = ${sql.ref(`${podcast}.id`)} and d.state = 'verified')`;

/** The current slug of the podcast whose verified domain this is. By podcast_domains_held. */
export async function selectSlugOfDomain(db: Db, host: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('podcast_domains as d')
    .innerJoin('podcasts as p', 'p.id', 'd.podcast_id')
    .select('p.slug')
    .where('d.host', '=', host)
    .where('d.held', '=', true)
    .where('d.state', '=', 'verified')
    .executeTakeFirst();
  return row?.slug;
}

export async function insertPodcast(db: Db, podcast: Omit<Podcast, 'domain'>): Promise<void> {
  const { status, createdAt } = podcast;
  await db
    .insertInto('podcasts')
    .values({
      ...(toRowOfLists(podcast) as InsertObject<Tables, 'podcasts'>),
      paused_at: status === 'paused' ? createdAt : null,
      status_before_suspension: status === 'overage_suspended' ? 'active' : null,
      suspended_for: status === 'overage_suspended' ? 'operator' : null,
      updated_at: createdAt,
    })
    .execute();
}

export async function updatePodcastColumns(
  db: Db,
  podcastId: string,
  fields: Partial<PodcastFields & Pick<Podcast, 'artworkId' | 'headerImageId'>>,
  updatedAt: Date,
): Promise<void> {
  await db
    .updateTable('podcasts')
    .set({ ...toRowOfLists(fields), updated_at: updatedAt })
    .where('id', '=', podcastId)
    .execute();
}

export async function updatePodcastStatus(
  db: Db,
  podcastId: string,
  state: {
    status: PodcastStatus;
    pausedAt: Date | null;
    statusBeforeSuspension: PodcastStatus | null;
    suspendedFor: SuspensionCause | null;
    /** Undefined: it stays as it is. */
    overageReleasedAt?: Date;
  },
): Promise<void> {
  await db.updateTable('podcasts').set(toRow(state)).where('id', '=', podcastId).execute();
}

const podcastsOf = (db: Db) =>
  db
    .selectFrom('podcasts')
    .select([...podcastColumns, verifiedDomain('podcasts').as('domain')])
    .$castTo<Podcast>();

/** By the primary key. */
export function selectPodcast(db: Db, podcastId: string): Promise<Podcast | undefined> {
  return podcastsOf(db).where('id', '=', podcastId).executeTakeFirst();
}

/** By podcasts_slug_key: the current slug only. */
export function selectPodcastBySlug(db: Db, slug: string): Promise<Podcast | undefined> {
  return podcastsOf(db).where('slug', '=', slug).executeTakeFirst();
}

/** By podcasts_account_id_guid_key. */
export function selectPodcastByGuid(
  db: Db,
  accountId: string,
  guid: string,
): Promise<Podcast | undefined> {
  return podcastsOf(db)
    .where('account_id', '=', accountId)
    .where('guid', '=', guid)
    .executeTakeFirst();
}

export interface PodcastState {
  readonly status: PodcastStatus;
  readonly pausedAt: Date | null;
  readonly statusBeforeSuspension: PodcastStatus | null;
  readonly suspendedFor: SuspensionCause | null;
  readonly newFeedUrl: string | null;
}

/**
 * Locks the podcast's row until the transaction ends: changes to its team, numbering and state
 * queue here. Lock users before podcasts. New rows that name the podcast wait only for changes that
 * move it or change its slug (`asAWhole`).
 */
export function lockPodcast(
  db: Db,
  podcastId: string,
  { asAWhole = false }: { readonly asAWhole?: boolean } = {},
): Promise<PodcastState | undefined> {
  return db
    .selectFrom('podcasts')
    .select([
      'status',
      'paused_at as pausedAt',
      'status_before_suspension as statusBeforeSuspension',
      'suspended_for as suspendedFor',
      'new_feed_url as newFeedUrl',
    ])
    .where('id', '=', podcastId)
    .$call((query) => (asAWhole ? query.forUpdate() : query.forNoKeyUpdate()))
    .executeTakeFirst();
}

/** Returns false if the slug is, or ever was, another podcast's. The primary key decides. */
export async function claimPodcastSlug(
  db: Db,
  slug: string,
  podcastId: string,
  createdAt: Date,
): Promise<boolean> {
  const claimed = await db
    .insertInto('podcast_slugs')
    .values({ slug, podcast_id: podcastId, created_at: createdAt })
    .onConflict((conflict) =>
      conflict
        .column('slug')
        .doUpdateSet({ podcast_id: podcastId })
        .where('podcast_slugs.podcast_id', '=', podcastId),
    )
    .returning('slug')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** All that the podcast ever had. */
export async function countSlugs(db: Db, podcastId: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from podcast_slugs where podcast_id = ${podcastId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Finds the podcast that has or had this slug: null if it is deleted, undefined if no podcast had
 * it.
 */
export async function selectPodcastIdOfSlug(
  db: Db,
  slug: string,
): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('podcast_slugs')
    .select('podcast_id')
    .where('slug', '=', slug)
    .executeTakeFirst();
  return row?.podcast_id;
}

export interface SlugOfPodcast {
  readonly slug: string;
  readonly podcastId: string;
  readonly guid: string;
}

/** By podcasts_of_account and podcast_slugs_of_podcast. `prefix` is the beginning of a slug. */
export function selectSlugsOfAccount(
  db: Db,
  accountId: string,
  prefix: string,
): Promise<SlugOfPodcast[]> {
  return db
    .selectFrom('podcasts')
    .innerJoin('podcast_slugs', 'podcast_slugs.podcast_id', 'podcasts.id')
    .select(['podcast_slugs.slug', 'podcasts.id as podcastId', 'podcasts.guid'])
    .where('podcasts.account_id', '=', accountId)
    .where('podcast_slugs.slug', 'like', `${prefix}%`)
    .execute();
}

/** Finds the podcast whose feed a slug leads to, and the address of the new feed, if it has one. */
export async function selectMoveOfSlug(
  db: Db,
  slug: string,
): Promise<{ podcastId: string; newFeedUrl: string | null; status: PodcastStatus } | undefined> {
  return await db
    .selectFrom('podcast_slugs as s')
    .innerJoin('podcasts as p', 'p.id', 's.podcast_id')
    .select(['p.id as podcastId', 'p.new_feed_url as newFeedUrl', 'p.status'])
    .where('s.slug', '=', slug)
    .executeTakeFirst();
}

/**
 * Until the transaction ends, no other transaction records where a show has moved within this
 * service.
 */
export async function lockMoves(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('podcasts.new_feed_url', 0))`.execute(db);
}

export async function deletePodcastRow(db: Db, podcastId: string): Promise<void> {
  await db.deleteFrom('podcasts').where('id', '=', podcastId).execute();
}

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

const pictureAt = (column: 'artwork_id' | 'header_image_id') => sql<Artwork | null>`(
  select json_build_object('id', image.id, 'contentType', image.content_type,
    'width', image.width, 'height', image.height, 'color', image.color)
  from images image where image.id = ${sql.ref(`podcasts.${column}`)})`;

type SettingsRow = Omit<PodcastSettings, 'alwaysPoweredBy' | 'membership' | 'may'>;

/** One statement: by primary keys, and podcast_slugs_of_podcast. */
export async function selectPodcastSettings(
  db: Db,
  podcastId: string,
): Promise<SettingsRow | undefined> {
  const row = await podcastsOf(db)
    .select([
      pictureAt('artwork_id').as('artwork'),
      pictureAt('header_image_id').as('headerImage'),
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
