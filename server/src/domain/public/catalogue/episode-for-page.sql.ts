import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import { publicAudio, type StoredAudio } from '../../publishing/episodes/index.ts';
import type { ExtraElement } from '../../publishing/podcasts/index.ts';
import {
  briefColumnsOf,
  briefJoins,
  columns,
  type EpisodeRef,
  isPublicAs,
  joins,
  pagePeople,
  type Row,
  toPublicEpisode,
} from './episodes.sql.ts';
import {
  type BriefEpisode,
  briefEpisodeFields,
  type EpisodeForPage,
  type PageCredit,
  type PageEpisode,
  type PublicPodcast,
} from './public-podcast.ts';

/** Finds the same episode for its page, with its neighbours and other episodes: one round trip. */
export async function selectEpisodeForPage(
  db: Db,
  show: PublicPodcast,
  ref: EpisodeRef,
  now: Date,
): Promise<EpisodeForPage | undefined> {
  const { rows } = await sql<PageRow>`
    select ${columns}, ${pagePeople}, ${neighbour('<', 'desc', show, now)} as previous,
      ${neighbour('>', 'asc', show, now)} as next,
      ${othersOf(show, now)} as others, ${pageElements}
    from episodes e ${joins}
    where ${isPublicAs(show, ref, now)}`.execute(db);
  const [row] = rows;
  return row && { ...toPublicEpisode(row, show), others: (row.others ?? []).map(toBriefEpisode) };
}

interface PageRow extends Row<PageCredit>, Pick<EpisodeForPage, 'previous' | 'next' | 'elements'> {
  readonly others: readonly BriefRow[] | null;
}

/** As JSON has it. */
interface BriefRow extends Omit<BriefEpisode, 'publishedAt' | 'audio'> {
  readonly publishedAt: string;
  readonly mediaName: string;
  readonly audio: StoredAudio | null;
}

function toBriefEpisode({ publishedAt, mediaName, audio, ...episode }: BriefRow): BriefEpisode {
  return {
    ...episode,
    publishedAt: new Date(publishedAt),
    audio: audio && publicAudio(mediaName, audio),
  };
}

const briefColumns = briefColumnsOf(briefEpisodeFields);

const mostOthers = 4;

/**
 * Other public episodes than `e`: the newest, or, for a serial show, those that follow, if there are any. A few
 * entries of episodes_public, in its order; `between` as below.
 */
function othersOf({ id, showType }: PublicPodcast, now: Date): RawBuilder<unknown> {
  const list = (condition: RawBuilder<unknown>, order: 'asc' | 'desc') => sql`(
    select json_agg(other order by other."publishedAt" ${sql.raw(order)}, other.id ${sql.raw(order)})
    from (select ${briefColumns} from (
      select n.* from episodes n
      where n.podcast_id = ${id} and n.podcast_id between ${id} and ${id}
        and n.public_from <= ${now} and ${condition}
      order by n.public_from ${sql.raw(order)}, n.id ${sql.raw(order)}
      limit ${sql.lit(mostOthers)}) e ${briefJoins}) other)`;
  const newest = list(sql`n.id <> e.id`, 'desc');
  if (showType !== 'serial') return newest;
  return sql`coalesce(${list(sql`(n.public_from, n.id) > (e.public_from, e.id)`, 'asc')}, ${newest})`;
}

/**
 * The public episode before or after `e`: the nearest one, if it is public already. One entry of
 * episodes_public, in its order, then episodes_pkey. `between` says nothing new, but without it, planners
 * take episodes_by_publication, where 100,000 episodes of another show may be between.
 */
const neighbour = (
  side: '<' | '>',
  order: 'asc' | 'desc',
  { id }: PublicPodcast,
  now: Date,
) => sql`(select json_build_object('slug', nearest.slug, 'title', nearest.title)
    from episodes nearest where nearest.public_from <= ${now} and nearest.id = (
      select n.id from episodes n
      where n.podcast_id = ${id} and n.podcast_id between ${id} and ${id}
        and n.public_from is not null
        and (n.public_from, n.id) ${sql.raw(side)} (e.public_from, e.id)
      order by n.public_from ${sql.raw(order)}, n.id ${sql.raw(order)} limit 1))`;

/** The elements of the feed that a page shows, of the many that an episode may have. */
const pageElements = sql`(select coalesce(jsonb_agg(element order by n), '[]')
  from jsonb_array_elements(e.extra_elements) with ordinality as each (element, n)
  where lower(element ->> 'name') in ('podcast:socialinteract', 'podcast:soundbite')) as elements`;

/** Finds an episode whatever its status; one without a date is published now. By episodes_pkey. */
export async function selectEpisodeForPreview(
  db: Db,
  show: PublicPodcast,
  episodeId: string,
  now: Date,
): Promise<PageEpisode | undefined> {
  const { rows } = await sql<PreviewRow>`
    select ${columns}, ${pagePeople}, ${pageElements} from episodes e ${joins}
    where e.podcast_id = ${show.id} and e.id = ${episodeId}`.execute(db);
  const [row] = rows;
  return row && toPublicEpisode({ ...row, publishedAt: row.publishedAt ?? now }, show);
}

interface PreviewRow extends Omit<Row<PageCredit>, 'publishedAt'>, Pick<PageEpisode, 'elements'> {
  readonly publishedAt: Date | null;
}

/** What an outline says of the episodes of a show. */
export interface EpisodeRange {
  /** When the first and the last were published. */
  readonly first: Date | null;
  readonly last: Date | null;
  /** The newest trailer with audio. */
  readonly trailer: BriefEpisode | null;
  /** `podcast:trailer` of the feed: those that are not episodes. */
  readonly trailerElements: readonly ExtraElement[];
}

/** Of public episodes. By episodes_public, episodes_public_by_type, audio_files_pkey, and podcasts_pkey. */
export async function selectEpisodeRange(
  db: Db,
  podcastId: string,
  now: Date,
): Promise<EpisodeRange> {
  const isPublic = sql`podcast_id = ${podcastId} and public_from <= ${now}`;
  const { rows } = await sql<Omit<EpisodeRange, 'trailer'> & { trailer: BriefRow | null }>`
    select min(public_from) as first, max(public_from) as last, (
      select to_json(trailer) from (select ${briefColumns} from (
        select * from episodes where ${isPublic} and episode_type = 'trailer'
        order by public_from desc, id desc limit ${sql.lit(mostTrailers)}) e ${briefJoins}
        where audio.episode_id is not null
        order by e.public_from desc, e.id desc limit 1) trailer) as trailer, (
      select coalesce(json_agg(element order by n), '[]')
      from podcasts p, jsonb_array_elements(p.extra_elements) with ordinality as each (element, n)
      where p.id = ${podcastId} and lower(element ->> 'name') = 'podcast:trailer')
      as "trailerElements"
    from episodes where ${isPublic}`.execute(db);
  const { first = null, last = null, trailer = null, trailerElements = [] } = rows[0] ?? {};
  return { first, last, trailer: trailer && toBriefEpisode(trailer), trailerElements };
}

/** How many trailers are searched for audio. */
const mostTrailers = 20;
