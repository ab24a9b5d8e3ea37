import { sql } from 'kysely';
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

/** Apple Podcasts makes chapters for episodes that are at least so long, unless they have some. */
const chaptersFromMs = 600_000;

/** Spotify shows chapters if there are so many, from the beginning on. */
const fewestChapters = 3;

/**
 * The problems of all published and scheduled episodes, with the newest of each. One statement that
 * reads every episode of the show once, by episodes_listed, and what belongs to it by primary keys.
 */
export async function selectEpisodeHealth(
  db: Db,
  podcastId: string,
  now: Date,
): Promise<EpisodeHealth> {
  const { rows } = await sql<EpisodeHealth>`
    with checked as (
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
          case when count(*) over (partition by coalesce(e.guid, e.id::text)) > 1
            then 'same_guid' end,
          case when p.show_type = 'serial' and e.episode_type = 'full' and not e.number_given
            then 'no_number' end,
          case when length(e.title) > 255 then 'long_title' end,
          case when octet_length(btrim(e.description)) > 4000 then 'long_description' end,
          case when btrim(e.description) in ('', btrim(e.title)) and e.show_notes_html is null
            then 'no_description' end,
          case when picture.width <> picture.height or picture.width not between 1400 and 3000
            then 'artwork_size' end,
          case when picture.size_bytes > ${comfortableImageBytes} then 'artwork_bytes' end,
          case when t.episode_id is null or not e.publish_transcript then 'no_transcript' end,
          case when c.episode_id is null and audio.duration_ms >= ${chaptersFromMs}
            and concat_ws(' ', e.description, left(e.show_notes, 20000)) !~ '[0-9]:[0-5][0-9]'
            then 'no_chapters' end,
          case when jsonb_array_length(c.chapters) < ${fewestChapters}
            or (c.chapters->0->>'startMs')::numeric > 0 then 'few_chapters' end,
          case when e.itunes_block then 'hidden_on_apple' end
        ], null) as problems
      from episodes e
      join podcasts p on p.id = e.podcast_id
      left join audio_files audio on audio.episode_id = e.id
      left join images picture on picture.id = e.artwork_id
      left join transcripts t on t.episode_id = e.id
      left join chapters c on c.episode_id = e.id
      where e.podcast_id = ${podcastId} and e.status in ('published', 'scheduled')
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
    select coalesce((select cover.size_bytes from podcasts show
        join images cover on cover.id = show.artwork_id
        where show.id = ${podcastId}), 0) as "artworkBytes",
      (select count(*) from checked where is_in_feed) as "episodesInFeed",
      (select coalesce(json_object_agg(problem, concerned), '{}') from named) as problems`.execute(
    db,
  );
  const [row] = rows;
  return row ?? { artworkBytes: 0, episodesInFeed: 0, problems: {} };
}
