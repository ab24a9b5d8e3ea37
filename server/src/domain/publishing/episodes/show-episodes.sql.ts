import { type RawBuilder, sql } from 'kysely';
import type { UtcDay } from '../../../lib/utc-day.ts';
import type { Db } from '../../foundation/database.ts';
import { type EpisodeStatus, episodeStatuses } from '../../foundation/enumerations.ts';
import type { Grant } from '../../foundation/permissions/index.ts';
import { asOf, type Confirmation } from './episode.ts';
import type { MemberEpisode } from './member-episode.ts';
import { anyOf, creditedEpisodes, storedAs, walksOf } from './member-episodes.sql.ts';

export const episodeSorts = ['newest', 'oldest', 'title', 'number'] as const;
export type EpisodeSort = (typeof episodeSorts)[number];

/** An episode as a row of the list in which its members work. */
export interface ShowEpisode
  extends Omit<MemberEpisode, 'subtitle' | 'guidSha256' | 'enclosureSha256' | 'rssGuid'> {
  readonly hasAudio: boolean;
  /** The episode's own picture. */
  readonly artwork: { readonly id: string } | null;
  /** Of the seven UTC days before today; null: not for this member, or not counted here. */
  readonly downloads7d: number | null;
  readonly revision: number;
  /** What the member may do with its status, and what publishing or scheduling must confirm. */
  readonly mayBecome: readonly EpisodeStatus[];
  readonly toConfirm: readonly Confirmation[];
}

/** The values by which the list is sorted, of the last row of a page. */
export type ShowEpisodePosition = readonly (string | number)[];

export interface ShowEpisodeQuery {
  readonly podcastId: string;
  /** Words, or parts of them, that a title must all have. Undefined or empty: any title. */
  readonly search: string | undefined;
  /** The status at this moment: a due episode is published. */
  readonly status: EpisodeStatus | undefined;
  readonly sort: EpisodeSort;
  readonly after: ShowEpisodePosition | undefined;
  readonly limit: number;
}

/** How many episodes there are that the member sees, by their status now. */
export type EpisodeCounts = Readonly<Record<EpisodeStatus, number>>;

/** The columns of each order and their types; the last is unique. */
const sorts = {
  newest: { columns: ['listed_at', 'id'], types: ['timestamptz(3)', 'uuid'], order: 'desc' },
  oldest: { columns: ['listed_at', 'id'], types: ['timestamptz(3)', 'uuid'], order: 'asc' },
  title: { columns: ['title_key', 'id'], types: ['text', 'uuid'], order: 'asc' },
  number: {
    columns: ['public_season', 'episode_number', 'id'],
    types: ['integer', 'integer', 'uuid'],
    order: 'desc',
  },
} as const satisfies Record<EpisodeSort, unknown>;

type Query = Omit<ShowEpisodeQuery, 'search'> &
  Pick<Grant, 'creditedUserId'> & {
    readonly words: readonly string[];
    /** The first and last day of `downloads7d`; undefined: not for this member. */
    readonly days: { readonly from: UtcDay; readonly to: UtcDay } | undefined;
  };

type ListedEpisode = Omit<ShowEpisode, 'mayBecome' | 'toConfirm'>;
type Row = ListedEpisode & { readonly position: ShowEpisodePosition };

/**
 * A page of a show's episodes. Without words it costs its own rows, whatever the show's length: each
 * order walks an index for each status that it has to unite (episodes_listed,
 * episodes_listed_by_status, episodes_by_title, episodes_by_number). With words it scans
 * episodes_by_title alone, and no episode that it does not return. For a member who sees only some,
 * it reads all these once.
 */
export async function selectShowEpisodes(
  db: Db,
  query: Query,
  now: Date,
): Promise<{ readonly episode: ListedEpisode; readonly position: ShowEpisodePosition }[]> {
  const { sort, limit, days } = query;
  const { columns } = sorts[sort];
  const downloads = days
    ? sql`case when p.hosting_type = 'hosted' then (
        select coalesce(sum(d.downloads), 0)::bigint from episode_download_days d
        where d.episode_id = e.id and d.day between ${days.from}::date and ${days.to}::date) end`
    : sql`null::bigint`;
  const { rows } = await sql<Row>`
    select e.id, e.podcast_id as "podcastId", e.slug, e.title, e.status, e.season,
      e.episode_number as "episodeNumber", e.episode_type as "episodeType",
      e.published_at as "publishedAt", e.scheduled_for as "scheduledFor",
      e.created_at as "createdAt", e.revision, audio.duration_ms as "durationMs",
      audio.episode_id is not null as "hasAudio",
      case when e.artwork_id is not null then json_build_object('id', e.artwork_id) end as artwork,
      ${downloads} as "downloads7d",
      json_build_array(${sql.join(columns.map((column) => sql`found.${sql.ref(column)}`))}) as position
    from (select * from (${findEpisodes(query, now)}) found ${orderBy(sort)} limit ${limit}) found
    join episodes e on e.id = found.id
    join podcasts p on p.id = e.podcast_id
    left join audio_files audio on audio.episode_id = e.id
    ${orderBy(sort, 'found')}`.execute(db);
  return rows.map(({ position, ...episode }) => ({ episode: asOf(episode, now), position }));
}

/** The episodes of the page, and perhaps more, with the columns that sort them. */
function findEpisodes(query: Query, now: Date): RawBuilder<unknown> {
  const { podcastId, creditedUserId, words, sort, status, after, limit } = query;
  const columns = sql`e.id, e.listed_at, e.title_key, e.public_season, e.episode_number`;
  const unseen = after === undefined ? sql`` : sql`and ${behind(sort, after)}`;
  const source =
    creditedUserId === undefined ? sql`episodes e` : creditedEpisodes(podcastId, creditedUserId);
  if (words.length > 0) {
    // Materialized: a walk in the order of the list would read whole episodes to compare titles.
    return sql`with matching as materialized (
        select ${columns} from ${source}
        where e.podcast_id = ${podcastId} and ${anyOf(storedAs(status, now))}
          and ${hasWords(words)} ${unseen})
      select * from matching`;
  }
  const walks = walksOf(storedIn(sort, status, now), creditedUserId).map(
    (stored) => sql`(select ${columns} from ${source}
      where e.podcast_id = ${podcastId} and ${stored} ${unseen}
      ${orderBy(sort, 'e')} limit ${limit})`,
  );
  return sql.join(walks, sql` union all `);
}

/**
 * The index by time covers all statuses at once. The other orders walk one index for each status.
 */
function storedIn(sort: EpisodeSort, status: EpisodeStatus | undefined, now: Date) {
  if (status !== undefined || sort === 'newest' || sort === 'oldest') return storedAs(status, now);
  return episodeStatuses.map((each) => sql`e.status = ${each}`);
}

/**
 * Each word is converted once for the statement, not for each title. `like` would take several times
 * as long for titles and words that repeat one letter.
 */
function hasWords(words: readonly string[]): RawBuilder<unknown> {
  const conditions = words.map(
    (word) => sql`strpos(e.title_key, (select lower(${word}::text))) > 0`,
  );
  return sql.join(conditions, sql` and `);
}

function orderBy(sort: EpisodeSort, alias?: string): RawBuilder<unknown> {
  const { columns, order } = sorts[sort];
  const parts = columns.map((column) => {
    const name = alias === undefined ? sql.ref(column) : sql.ref(`${alias}.${column}`);
    return sql`${name} ${sql.raw(order)}`;
  });
  return sql`order by ${sql.join(parts)}`;
}

/** From `episodes e`: the rows behind this one. */
function behind(sort: EpisodeSort, position: ShowEpisodePosition): RawBuilder<unknown> {
  const { columns, types, order } = sorts[sort];
  const names = columns.map((column) => sql.ref(`e.${column}`));
  const values = types.map((type, index) => sql`${position[index]}::${sql.raw(type)}`);
  return sql`(${sql.join(names)}) ${sql.raw(order === 'asc' ? '>' : '<')} (${sql.join(values)})`;
}

/** By an index-only scan of episodes_listed_by_status. */
export async function selectEpisodeCounts(
  db: Db,
  { podcastId, creditedUserId }: Pick<Query, 'podcastId' | 'creditedUserId'>,
  now: Date,
): Promise<EpisodeCounts> {
  const source =
    creditedUserId === undefined ? sql`episodes e` : creditedEpisodes(podcastId, creditedUserId);
  const counts = episodeStatuses.map(
    (status) => sql`count(*) filter (where ${anyOf(storedAs(status, now))})::integer
      as ${sql.ref(status)}`,
  );
  const { rows } = await sql<EpisodeCounts>`
    select ${sql.join(counts)} from ${source} where e.podcast_id = ${podcastId}`.execute(db);
  return rows[0] as EpisodeCounts;
}
