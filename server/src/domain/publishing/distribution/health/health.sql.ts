import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import { comfortableImageBytes } from '../../images/index.ts';
import { type ConcernedEpisodes, type EpisodeProblem, maxNamedEpisodes } from './health-facts.ts';

export interface EpisodeHealth {
  /** Of the show's artwork. */
  readonly artworkBytes: number;
  /** Public, with audio. */
  readonly episodesInFeed: number;
  readonly problems: Partial<Record<EpisodeProblem, ConcernedEpisodes>>;
}

/** Where a slice ends: its last episode. */
interface SliceEnd {
  readonly listedAt: string;
  readonly id: string;
}

type Slice = Pick<EpisodeHealth, 'episodesInFeed' | 'problems'> & {
  /** Null: there are no more. */
  readonly end: SliceEnd | null;
};

/** How many episodes a slice has, and how many bytes of texts and chapters before the last one. */
const mostInSlice = 200;
const sliceBytes = 4_000_000;

/** Apple Podcasts makes chapters for episodes that are at least so long, unless they have some. */
const chaptersFromMs = 600_000;

/** Spotify shows chapters if there are so many, from the beginning on. */
const fewestChapters = 3;

/**
 * The problems of all published and scheduled episodes, with the newest of each. It reads their
 * texts, so it takes them in slices, one statement each: on the embedded database, others come in
 * between.
 */
export async function selectEpisodeHealth(
  db: Db,
  podcastId: string,
  now: Date,
): Promise<EpisodeHealth> {
  const problems: Partial<Record<EpisodeProblem, ConcernedEpisodes>> = {};
  let episodesInFeed = 0;
  for (let end: SliceEnd | null | undefined; end !== null; ) {
    const slice: Slice = await selectSlice(db, podcastId, end, now);
    episodesInFeed += slice.episodesInFeed;
    for (const [name, { count, first }] of Object.entries(slice.problems)) {
      const problem = name as EpisodeProblem;
      const newer = problems[problem] ?? { count: 0, first: [] };
      problems[problem] = {
        count: newer.count + count,
        first: [...newer.first, ...first].slice(0, maxNamedEpisodes),
      };
    }
    end = slice.end;
  }
  return { artworkBytes: await selectArtworkBytes(db, podcastId), episodesInFeed, problems };
}

async function selectArtworkBytes(db: Db, podcastId: string): Promise<number> {
  const row = await db
    .selectFrom('podcasts as show')
    .innerJoin('images as cover', 'cover.id', 'show.artwork_id')
    .select('cover.size_bytes as bytes')
    .where('show.id', '=', podcastId)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

const isChecked = sql`status in ('published', 'scheduled')`;

/** By episodes_listed, and what belongs to an episode by primary keys and episodes_guid. */
async function selectSlice(
  db: Db,
  podcastId: string,
  after: SliceEnd | undefined,
  now: Date,
): Promise<Slice> {
  const newestFirst = sql`order by e.listed_at desc, e.id desc`;
  const unseen = after
    ? sql`and (e.listed_at, e.id) < (${after.listedAt}::timestamptz(3), ${after.id})`
    : sql``;
  const { rows } = await sql<Slice>`
    with slice as (
      select e.* from (
        select e.*, count(*) over () as found, row_number() over (${newestFirst}) as place,
          coalesce(sum(e.text_bytes
            + coalesce((select text_bytes from chapters where episode_id = e.id), 0)) over (
            ${newestFirst} rows between unbounded preceding and 1 preceding), 0) as bytes_before
        from (select e.* from episodes e
          where e.podcast_id = ${podcastId} and ${isChecked} ${unseen}
          ${newestFirst} limit ${sql.lit(mostInSlice + 1)}) e) e
      where place <= ${sql.lit(mostInSlice)} and bytes_before <= ${sql.lit(sliceBytes)}
    ), checked as (${checkSlice(now)}
    ), found as (
      select problem, id, title, row_number() over newest as place, count(*) over all_of as total
      from checked cross join lateral unnest(problems) as problem
      window newest as (partition by problem order by listed_at desc, id desc),
        all_of as (partition by problem)
    ), named as (
      select problem, json_build_object('count', min(total),
          'first', json_agg(json_build_object('id', id, 'title', title) order by place)) as concerned
      from found where place <= ${maxNamedEpisodes} group by problem
    )
    select (select count(*) from checked where is_in_feed) as "episodesInFeed",
      (select coalesce(json_object_agg(problem, concerned), '{}') from named) as problems,
      (select json_build_object('listedAt', listed_at, 'id', id) from slice
        where found > (select count(*) from slice)
        order by listed_at, id limit 1) as end`.execute(db);
  return rows[0] as Slice;
}

/**
 * From `slice`. Of long texts it reads only the beginning, once. To trim one takes many times as
 * long, and would not make it short.
 */
function checkSlice(now: Date): RawBuilder<unknown> {
  return sql`
      select e.id, e.title, e.listed_at,
        e.public_from <= ${now} and audio.episode_id is not null as is_in_feed,
        array_remove(array[
          case when audio.episode_id is null then 'no_audio' end,
          case when audio.episode_id is not null and coalesce(audio.size_bytes, 0) = 0
            then 'length_unknown' end,
          case when audio.episode_id is not null and coalesce(audio.duration_ms, 0) = 0
            then 'duration_unknown' end,
          case when audio.extension not in ('mp3', 'm4a', 'mp4', 'm4v', 'mov')
            then 'unusual_type' end,
          case when ${sharesGuid} then 'same_guid' end,
          case when p.show_type = 'serial' and e.episode_type = 'full' and not e.number_given
            then 'no_number' end,
          case when length(e.title) > 255 then 'long_title' end,
          case when octet_length(text.description) > 4000 then 'long_description' end,
          case when text.description in ('', btrim(e.title)) and e.show_notes_html is null
            then 'no_description' end,
          case when picture.width <> picture.height or picture.width not between 1400 and 3000
            then 'artwork_size' end,
          case when picture.size_bytes > ${comfortableImageBytes} then 'artwork_bytes' end,
          case when t.episode_id is null or not e.publish_transcript then 'no_transcript' end,
          case when c.episode_id is null and audio.duration_ms >= ${chaptersFromMs}
            and concat_ws(' ', text.description, left(e.show_notes, 20000)) !~ '[0-9]:[0-5][0-9]'
            then 'no_chapters' end,
          case when text.chapters < ${fewestChapters} or text.first_chapter_ms > 0
            then 'few_chapters' end,
          case when e.itunes_block then 'hidden_on_apple' end
        ], null) as problems
      from slice e
      join podcasts p on p.id = e.podcast_id
      left join audio_files audio on audio.episode_id = e.id
      left join images picture on picture.id = e.artwork_id
      left join transcripts t on t.episode_id = e.id
      left join chapters c on c.episode_id = e.id
      cross join lateral (select case when octet_length(e.description) <= 8000
          then btrim(e.description) else left(e.description, 20000) end as description,
        jsonb_array_length(c.chapters) as chapters,
        (c.chapters->0->>'startMs')::numeric as first_chapter_ms offset 0) text`;
}

/**
 * An episode without a GUID has its id as one, which another may have been given. Two that were
 * given are never the same (episodes_guid).
 */
const sharesGuid = sql`case
  when e.guid is null then exists (select from episodes other
    where other.podcast_id = e.podcast_id and other.guid = e.id::text and other.id <> e.id
      and other.${isChecked})
  when e.guid ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then exists (
    select from episodes other
    where other.id = e.guid::uuid and other.podcast_id = e.podcast_id and other.guid is null
      and other.id <> e.id and other.${isChecked})
  end`;
