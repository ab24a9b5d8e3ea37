import type { Db } from '../database.ts';
import type { Podcast, PodcastFields, PodcastStatus } from './podcast.ts';

const podcastColumns = [
  'id',
  'account_id as accountId',
  'guid',
  'status',
  'hosting_type as hostingType',
  'artwork_id as artworkId',
  'created_at as createdAt',
  'slug',
  'title',
  'subtitle',
  'author',
  'description',
  'language',
  'category',
  'subcategory',
  'explicit',
  'show_type as showType',
  'copyright',
  'website_url as websiteUrl',
  'owner_name as ownerName',
  'owner_email as ownerEmail',
  'funding_url as fundingUrl',
  'funding_text as fundingText',
  'feed_locked as feedLocked',
  'brand_color as brandColor',
  'player_color as playerColor',
  'player_theme as playerTheme',
  'player_waveform as playerWaveform',
  'show_powered_by as showPoweredBy',
  'timezone',
  'team_keys as teamKeys',
  'new_feed_url as newFeedUrl',
] as const;

/** The same list the other way round, for writing. */
const columnOf = new Map<string, string>(
  podcastColumns.map((entry) => {
    const [column = entry, field = column] = entry.split(' as ');
    return [field, column];
  }),
);

function toColumns(fields: Partial<PodcastFields>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [columnOf.get(field), value]),
  );
}

export async function insertPodcast(db: Db, podcast: Podcast): Promise<void> {
  const { id, accountId, guid, status, hostingType, artworkId, createdAt, ...fields } = podcast;
  await db
    .insertInto('podcasts')
    .values({
      ...(toColumns(fields) as {
        slug: string;
        title: string;
        author: string;
        description: string;
      }),
      id,
      account_id: accountId,
      guid,
      status,
      paused_at: status === 'paused' ? createdAt : null,
      status_before_suspension: status === 'overage_suspended' ? 'active' : null,
      hosting_type: hostingType,
      artwork_id: artworkId,
      created_at: createdAt,
      updated_at: createdAt,
    })
    .execute();
}

export async function updatePodcastColumns(
  db: Db,
  podcastId: string,
  fields: Partial<PodcastFields> & { artworkId?: string | null },
  updatedAt: Date,
): Promise<void> {
  const { artworkId, ...rest } = fields;
  await db
    .updateTable('podcasts')
    .set({
      ...toColumns(rest),
      ...(artworkId === undefined ? {} : { artwork_id: artworkId }),
      updated_at: updatedAt,
    })
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
  },
): Promise<void> {
  await db
    .updateTable('podcasts')
    .set({
      status: state.status,
      paused_at: state.pausedAt,
      status_before_suspension: state.statusBeforeSuspension,
    })
    .where('id', '=', podcastId)
    .execute();
}

/** By the primary key. */
export function selectPodcast(db: Db, podcastId: string): Promise<Podcast | undefined> {
  return db
    .selectFrom('podcasts')
    .select(podcastColumns)
    .where('id', '=', podcastId)
    .executeTakeFirst();
}

/** By podcasts_slug_key: the current slug only. */
export function selectPodcastBySlug(db: Db, slug: string): Promise<Podcast | undefined> {
  return db
    .selectFrom('podcasts')
    .select(podcastColumns)
    .where('slug', '=', slug)
    .executeTakeFirst();
}

/** By podcasts_account_id_guid_key. */
export function selectPodcastByGuid(
  db: Db,
  accountId: string,
  guid: string,
): Promise<Podcast | undefined> {
  return db
    .selectFrom('podcasts')
    .select(podcastColumns)
    .where('account_id', '=', accountId)
    .where('guid', '=', guid)
    .executeTakeFirst();
}

/**
 * Holds the row until the transaction ends: changes to one podcast's team, numbering and state queue
 * here. Whoever holds users too holds them first. New rows that name the podcast wait only for what
 * moves it or gives it another slug (`asAWhole`).
 */
export function lockPodcast(
  db: Db,
  podcastId: string,
  { asAWhole = false }: { readonly asAWhole?: boolean } = {},
): Promise<
  | { status: PodcastStatus; pausedAt: Date | null; statusBeforeSuspension: PodcastStatus | null }
  | undefined
> {
  return db
    .selectFrom('podcasts')
    .select([
      'status',
      'paused_at as pausedAt',
      'status_before_suspension as statusBeforeSuspension',
    ])
    .where('id', '=', podcastId)
    .$call((query) => (asAWhole ? query.forUpdate() : query.forNoKeyUpdate()))
    .executeTakeFirst();
}

/** False when the slug is, or ever was, another podcast's. Settled by the primary key. */
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

export async function isPodcastSlugTaken(db: Db, slug: string): Promise<boolean> {
  const row = await db
    .selectFrom('podcast_slugs')
    .select('slug')
    .where('slug', '=', slug)
    .executeTakeFirst();
  return row !== undefined;
}
