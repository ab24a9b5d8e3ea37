import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { FeedPart } from './episodes.sql.ts';
import type { EpisodePosition } from './public-podcast.ts';

/** The page of an episode, for search engines. */
export interface ListedPage {
  readonly slug: string;
  /** When the page changed or appeared. */
  readonly changedAt: Date;
  readonly position: EpisodePosition;
}

/** The pages of public episodes, newest first. By episodes_public. */
export async function selectEpisodePages(
  db: Db,
  podcastId: string,
  { after, limit }: FeedPart,
  now: Date,
): Promise<ListedPage[]> {
  const { rows } = await sql<Omit<ListedPage, 'position'> & EpisodePosition>`
    select slug, greatest(updated_at, public_from) as "changedAt", public_from as "publishedAt", id
    from episodes where podcast_id = ${podcastId} and public_from <= ${now} ${
      after ? sql`and (public_from, id) < (${after.publishedAt}, ${after.id}::uuid)` : sql``
    } order by public_from desc, id desc limit ${limit}`.execute(db);
  return rows.map(({ publishedAt, id, ...page }) => ({ ...page, position: { publishedAt, id } }));
}

/**
 * The position of each `size`th public episode, newest first, except the last of all. By episodes_public,
 * which it reads to its end.
 */
export async function selectPartEnds(
  db: Db,
  podcastId: string,
  size: number,
  now: Date,
): Promise<EpisodePosition[]> {
  const { rows } = await sql<EpisodePosition>`
    select public_from as "publishedAt", id from (
      select public_from, id, count(*) over () as count,
        row_number() over (order by public_from desc, id desc) as n
      from episodes where podcast_id = ${podcastId} and public_from <= ${now}) numbered
    where n % ${sql.lit(size)} = 0 and n < count order by public_from desc, id desc`.execute(db);
  return rows;
}
