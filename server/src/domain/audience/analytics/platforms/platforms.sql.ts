import { sql } from 'kysely';
import { type Db, toRow } from '../../../foundation/database.ts';
import { selectEpisodeIds } from '../../../publishing/episodes/index.ts';
import type { MatchableEpisode } from './match-entries.ts';
import type { PlatformFigures, PlatformSource } from './platform-figures.ts';

const rowsAtOnce = 1_000;

/** What the file of a platform may name: episodes that were public, in batches. */
export async function* readMatchableEpisodes(
  db: Db,
  podcastId: string,
): AsyncGenerator<readonly MatchableEpisode[]> {
  for await (const ids of selectEpisodeIds(db, podcastId, rowsAtOnce)) {
    yield await selectMatchable(db, ids);
  }
}

/** By the primary keys. */
async function selectMatchable(db: Db, ids: readonly string[]): Promise<MatchableEpisode[]> {
  const { rows } = await sql<MatchableEpisode>`
    select e.id, e.title,
      to_json(array_remove(array[coalesce(e.guid, e.id::text), e.source_guid], null)) as guids,
      public.at as "publicAt", p.timezone
    from episodes e join podcasts p on p.id = e.podcast_id
    cross join lateral (select coalesce(e.published_at, e.scheduled_for) as at) public
    where e.id = any(${ids}::uuid[]) and public.at is not null`.execute(db);
  return rows;
}

export interface NewPlatformImport {
  readonly id: string;
  readonly podcastId: string;
  readonly source: PlatformSource;
  readonly importedAt: Date;
  /** `YYYY-MM-DD`. */
  readonly asOf: string | null;
  readonly showMetrics: PlatformFigures;
}

export type ReplacedPlatformImport = Pick<NewPlatformImport, 'importedAt' | 'asOf'>;

/**
 * Replaces the import of the source, and returns it; undefined: there was none. Needs the podcast's
 * lock: two at once would both insert.
 */
export async function replacePlatformImport(
  db: Db,
  row: NewPlatformImport,
): Promise<ReplacedPlatformImport | undefined> {
  const { rows } = await sql<ReplacedPlatformImport>`
    delete from platform_imports where podcast_id = ${row.podcastId} and source = ${row.source}
    returning imported_at as "importedAt", to_char(as_of, 'YYYY-MM-DD') as "asOf"`.execute(db);
  await db
    .insertInto('platform_imports')
    .values({ ...toRow(row), show_metrics: JSON.stringify(row.showMetrics) })
    .execute();
  return rows[0];
}

export interface NewPlatformEpisode {
  readonly position: number;
  readonly episodeId: string | null;
  readonly title: string;
  readonly metrics: PlatformFigures;
}

export async function insertPlatformEpisodes(
  db: Db,
  importId: string,
  episodes: readonly NewPlatformEpisode[],
): Promise<void> {
  await sql`
    insert into platform_episodes (import_id, position, episode_id, title, metrics)
    select ${importId}, position, "episodeId", title, metrics
    from jsonb_to_recordset(${JSON.stringify(episodes)}::jsonb)
      as row (position integer, "episodeId" uuid, title text, metrics jsonb)`.execute(db);
}

export interface PlatformImportRow {
  readonly id: string;
  readonly importedAt: Date;
  readonly asOf: string | null;
  readonly showMetrics: PlatformFigures;
  /** Null if the import has no episode after the position. */
  readonly position: number | null;
  readonly episodeId: string | null;
  readonly title: string | null;
  readonly metrics: PlatformFigures | null;
}

/**
 * The import with a page of its episodes: one statement, so that a page never mixes two imports.
 * By the primary keys; no row if nothing was imported.
 */
export async function selectPlatformImport(
  db: Db,
  {
    podcastId,
    source,
    after,
    limit,
  }: {
    readonly podcastId: string;
    readonly source: PlatformSource;
    /** The position after which the page begins. */
    readonly after: number;
    readonly limit: number;
  },
): Promise<PlatformImportRow[]> {
  const { rows } = await sql<PlatformImportRow>`
    select i.id, i.imported_at as "importedAt", to_char(i.as_of, 'YYYY-MM-DD') as "asOf",
      i.show_metrics as "showMetrics", page.position, e.id as "episodeId", page.title, page.metrics
    from platform_imports i
    left join lateral (
      select position, episode_id, title, metrics from platform_episodes
      where import_id = i.id and position > ${after} order by position limit ${limit}
    ) page on true
    left join episodes e on e.id = page.episode_id
    where i.podcast_id = ${podcastId} and i.source = ${source}
    order by page.position`.execute(db);
  return rows;
}
