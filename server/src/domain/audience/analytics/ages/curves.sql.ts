import { type RawBuilder, sql } from 'kysely';
import type { UtcDay } from '../../../../lib/utc-day.ts';
import type { Db } from '../../../foundation/database.ts';
import type { EpisodeType } from '../../../foundation/enumerations.ts';
import { type FactsRow, factsColumns, podcastDataStart } from '../facts.sql.ts';
import type { StoredDays } from './curve.ts';

/** An episode's first `longest` days as JSON, from an alias of `episodes`. By primary keys. */
function storedDays(episode: string, longest: number): RawBuilder<unknown> {
  const e = sql.raw(episode);
  const published = sql`(${e}.public_from at time zone 'UTC')::date`;
  return sql`json_build_object(
    'id', ${e}.id, 'title', ${e}.title, 'publishedOn', ${published},
    'createdOn', (${e}.created_at at time zone 'UTC')::date,
    'statusChangedOn', (${e}.status_changed_at at time zone 'UTC')::date,
    'firstDownloadOn', (select day from episode_download_days
      where episode_id = ${e}.id and downloads > 0 order by day limit 1),
    'days', (select coalesce(json_agg(json_build_array(day - ${published}, downloads) order by day),
        '[]') from episode_download_days
      where episode_id = ${e}.id and day between ${published} and ${published} + ${longest - 1}::int))`;
}

export interface TypicalRow extends FactsRow {
  readonly episodeType: EpisodeType;
  /** Null: the public cannot have the episode. */
  readonly episode: StoredDays | null;
  /** Newest first. */
  readonly before: readonly StoredDays[];
}

interface TypicalQuery {
  readonly episodeId: string;
  readonly longest: number;
  /** Only episodes published on or after this day, */
  readonly from: UtcDay;
  /** and at most so many days before the episode. */
  readonly pastDays: number;
  /** No more episodes. */
  readonly limit: number;
  readonly now: Date;
}

/**
 * An episode's first days, and those of the published episodes of its type before it. Walks
 * episodes_public_by_type. Undefined if there is no such episode.
 */
export async function selectTypical(
  db: Db,
  { episodeId, longest, from, pastDays, limit, now }: TypicalQuery,
): Promise<TypicalRow | undefined> {
  const { rows } = await sql<TypicalRow>`
    select ${factsColumns(podcastDataStart)}, e.episode_type as "episodeType",
      case when e.public_from <= ${now} then ${storedDays('e', longest)} end as episode,
      coalesce((select json_agg(${storedDays('b', longest)} order by b.public_from desc, b.id desc)
        from (select * from episodes o
          where o.podcast_id = e.podcast_id and o.episode_type = e.episode_type
            and o.public_from is not null and (o.public_from, o.id) < (e.public_from, e.id)
            and o.public_from >= ${from}::date::timestamp at time zone 'UTC'
            and o.public_from >= e.public_from - make_interval(days => ${pastDays}::int)
          order by o.public_from desc, o.id desc limit ${limit}
        ) b), '[]') as before
    from episodes e join podcasts p on p.id = e.podcast_id
    where e.id = ${episodeId}`.execute(db);
  return rows[0];
}

export interface CurvesRow extends FactsRow {
  readonly episodes: readonly StoredDays[];
}

/**
 * The first days of published episodes of a podcast, newest first: of these ids, or of the newest
 * full episodes. Undefined if there is no such podcast.
 */
export async function selectCurves(
  db: Db,
  podcastId: string,
  {
    episodeIds,
    longest,
    limit,
    now,
  }: {
    /** Undefined: the newest full episodes. */
    readonly episodeIds: readonly string[] | undefined;
    readonly longest: number;
    readonly limit: number;
    readonly now: Date;
  },
): Promise<CurvesRow | undefined> {
  const which =
    episodeIds === undefined
      ? sql`o.episode_type = 'full'`
      : sql`o.id = any(${episodeIds}::uuid[])`;
  const { rows } = await sql<CurvesRow>`
    select ${factsColumns(podcastDataStart)},
      coalesce((select json_agg(${storedDays('b', longest)} order by b.public_from desc, b.id desc)
        from (select * from episodes o
          where o.podcast_id = p.id and ${which} and o.public_from <= ${now}
          order by o.public_from desc, o.id desc limit ${limit}
        ) b), '[]') as episodes
    from podcasts p where p.id = ${podcastId}`.execute(db);
  return rows[0];
}
