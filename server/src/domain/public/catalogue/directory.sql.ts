import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { verifiedDomain } from '../../publishing/podcasts/index.ts';
import type { ImageRef } from './public-podcast.ts';
import { imageRef } from './public-podcasts.sql.ts';

/** A show in the directory. */
export interface DirectoryEntry {
  readonly id: string;
  readonly slug: string;
  /** Its own domain, if that is verified. */
  readonly domain: string | null;
  readonly title: string;
  readonly author: string;
  /** BCP 47. */
  readonly language: string;
  readonly explicit: boolean;
  readonly artwork: ImageRef | null;
  readonly createdAt: Date;
}

/** The list continues with older shows. */
export interface DirectoryPosition {
  readonly createdAt: Date;
  readonly id: string;
}

export interface DirectoryQuery {
  readonly limit: number;
  readonly after?: DirectoryPosition | undefined;
  /** Apple's name. */
  readonly category?: string | undefined;
  /** All of them are in the title, the subtitle or the author's name. */
  readonly words: readonly string[];
}

/** The shows that the directory lists: the condition of both indexes. */
const isListed = sql`p.status = 'active' and not p.itunes_block`;

/**
 * Lists the newest shows first. By podcasts_in_directory or podcasts_in_directory_by_category, then
 * podcast_domains_pkey and images_pkey. A search reads along the same index until its page is full, so
 * rare words read all shows.
 */
export async function selectDirectoryPage(
  db: Db,
  { limit, after, category, words }: DirectoryQuery,
): Promise<DirectoryEntry[]> {
  // Once for all words: the planner would repeat it for each.
  const searched = sql`cross join lateral (
    select lower(concat_ws(' ', p.title, p.subtitle, p.author)) as text offset 0) searched`;
  const conditions: RawBuilder<unknown>[] = [
    isListed,
    ...(category === undefined ? [] : [sql`p.category = ${category}`]),
    ...(after ? [sql`(p.created_at, p.id) < (${after.createdAt}, ${after.id}::uuid)`] : []),
    ...words.map((word) => sql`position(lower(${word}::text) in searched.text) > 0`),
  ];
  const { rows } = await sql<DirectoryEntry>`
    select p.id, p.slug, ${verifiedDomain('p')} as domain, p.title, p.author, p.language, p.explicit,
      ${imageRef('artwork')} as artwork, p.created_at as "createdAt"
    from podcasts p ${words.length === 0 ? sql`` : searched}
    left join images artwork on artwork.id = p.artwork_id
    where ${sql.join(conditions, sql` and `)}
    order by p.created_at desc, p.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Which of these categories listed shows have. One look-up each in podcasts_in_directory_by_category. */
export async function selectDirectoryCategories(
  db: Db,
  categories: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ category: string }>`
    select wanted.category from unnest(${categories}::text[]) wanted(category)
    where exists (select from podcasts p where ${isListed} and p.category = wanted.category)`.execute(
    db,
  );
  return rows.map(({ category }) => category);
}

/** The sitemap of a listed show. */
export interface ListedSitemap {
  readonly id: string;
  readonly slug: string;
  readonly domain: null;
  /** Has more public episodes than one sitemap, so it is a list of sitemaps itself. */
  readonly isLong: boolean;
}

/**
 * Shows whose pages are at BASE_URL, the oldest first: a new show doesn't move the parts before its own. By
 * podcasts_in_directory, podcast_domains_pkey, and for each show the first entries of episodes_public.
 */
export async function selectDirectorySitemaps(
  db: Db,
  now: Date,
  options: {
    readonly limit: number;
    readonly after: DirectoryPosition | undefined;
    readonly pagesOfShow: number;
  },
): Promise<ListedSitemap[]> {
  const { limit, after, pagesOfShow } = options;
  const { rows } = await sql<Omit<ListedSitemap, 'domain'>>`
    select p.id, p.slug, exists (select from episodes e
      where e.podcast_id = p.id and e.public_from <= ${now} offset ${pagesOfShow}) as "isLong"
    from (select p.* from podcasts p where ${isListed} ${
      after ? sql`and (p.created_at, p.id) > (${after.createdAt}, ${after.id}::uuid)` : sql``
    } order by p.created_at, p.id limit ${limit}) p
    where ${verifiedDomain('p')} is null
    order by p.created_at, p.id`.execute(db);
  return rows.map((row) => ({ ...row, domain: null }));
}

/** The last show of each part of `size` listed ones that is followed by another part. */
export async function selectDirectoryPartEnds(db: Db, size: number): Promise<DirectoryPosition[]> {
  const { rows } = await sql<DirectoryPosition>`
    select created_at as "createdAt", id from (
      select p.created_at, p.id, count(*) over () as count,
        row_number() over (order by p.created_at, p.id) as n
      from podcasts p where ${isListed}) numbered
    where n % ${sql.lit(size)} = 0 and n < count order by created_at, id`.execute(db);
  return rows;
}
