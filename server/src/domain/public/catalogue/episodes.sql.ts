import { type RawBuilder, sql } from 'kysely';
import type { Page } from '../../../lib/list-page.ts';
import { columnList, type Db } from '../../foundation/database.ts';
import { type EpisodeType, episodeTypes } from '../../foundation/enumerations.ts';
import { publicAudio, type StoredAudio } from '../../publishing/episodes/index.ts';
import { visibilityOf } from '../../publishing/podcasts/index.ts';
import {
  type EpisodePosition,
  type FeedCredit,
  type FeedEpisode,
  feedChapters,
  feedEpisodeFields,
  type ListedEpisode,
  type PublicCredit,
  type PublicEpisode,
  type PublicEpisodeDetail,
  type PublicPodcast,
  publicEpisodeFields,
} from './public-podcast.ts';
import { creditBio, creditGroup, creditLink, creditsOf, imageRef } from './public-podcasts.sql.ts';

export interface Row<Credit extends PublicCredit = PublicCredit>
  extends Omit<PublicEpisode, 'audio' | 'people'> {
  readonly mediaName: string;
  readonly audio: StoredAudio | null;
  readonly people: readonly Credit[] | null;
}

export const briefColumnsOf = (fields: readonly string[]) => sql`e.id, ${columnList('e', fields)},
  case when e.number_given then e.episode_number end as "givenNumber",
  e.public_from as "publishedAt", e.media_name as "mediaName",
  case when audio.episode_id is not null then json_build_object(
    'contentType', audio.content_type, 'extension', audio.extension, 'sizeBytes', audio.size_bytes,
    'durationMs', audio.duration_ms,
    'sourceUrl', case when audio.blob_key is null then audio.source_url end) end as audio,
  ${imageRef('artwork')} as artwork`;

const columnsOf = (
  fields: readonly string[],
) => sql`${briefColumnsOf(fields)}, coalesce(e.guid, e.id::text) as guid, e.updated_at as "updatedAt",
  case when e.publish_transcript then t.language end as "transcriptLanguage",
  coalesce(t.has_times, true) as "transcriptHasTimes",
  c.episode_id is not null as "hasChapters"`;

/** By episode_credits_in_order, people_pkey and images_pkey. */
const peopleWith = (...columns: RawBuilder<unknown>[]) => sql`(
  select ${creditsOf('credit', columns)}
  from episode_credits credit
  join people person on person.id = credit.person_id
  left join images photo on photo.id = person.photo_id
  where credit.episode_id = e.id) as people`;
const people = peopleWith();
const feedPeople = peopleWith(creditGroup('credit'), creditLink);
export const pagePeople = peopleWith(creditLink, creditBio);

/** One episode as the public sees it, from `episodes e`; everything else by primary keys. */
export const columns = columnsOf(publicEpisodeFields);

const longTexts: readonly string[] = ['description', 'showNotesHtml'];
const listedColumns = columnsOf(publicEpisodeFields.filter((name) => !longTexts.includes(name)));

export const briefJoins = sql`left join audio_files audio on audio.episode_id = e.id
  left join images artwork on artwork.id = e.artwork_id`;
export const joins = sql`${briefJoins}
  left join transcripts t on t.episode_id = e.id
  left join chapters c on c.episode_id = e.id`;

/** Columns only for a single episode. By waveforms_pkey. */
const detail = sql`exists (select from waveforms w
  where w.sha256 = audio.sha256 and w.peaks is not null) as "hasWaveform"`;

/** Those that a list of chapters shows, the first `feedChapters` of them. */
const listedChapters = sql`(select json_agg(listed.chapter order by listed.n) from (
    select chapter, n from jsonb_array_elements(c.chapters) with ordinality as each (chapter, n)
    where chapter ? 'title' and chapter -> 'hidden' is distinct from 'true'
    order by n limit ${sql.lit(feedChapters)}) listed) as chapters`;

/** Columns only for the feed. By further_transcripts_pkey. */
const feed = sql`${columnList('e', feedEpisodeFields)}, ${listedChapters},
  coalesce(audio.source_url is not null and audio.blob_key is null, false) as "audioIsElsewhere",
  case when e.publish_transcript then (select json_agg(json_build_object(
      'language', f.language, 'hasTimes', f.has_times) order by f.language)
    from further_transcripts f where f.episode_id = e.id) end as "furtherTranscripts"`;

type FeedRow = Row<FeedCredit> &
  Pick<
    FeedEpisode,
    (typeof feedEpisodeFields)[number] | 'furtherTranscripts' | 'chapters' | 'audioIsElsewhere'
  >;

type DetailRow = Row & Pick<PublicEpisodeDetail, 'hasWaveform'>;

export function toPublicEpisode<
  Credit extends PublicCredit,
  R extends Omit<Row<Credit>, 'showNotesHtml'>,
>(
  row: R & { readonly people: readonly Credit[] | null },
  show: { readonly roster: readonly NoInfer<Credit>[] },
): Omit<R, 'mediaName' | 'audio' | 'people'> &
  Pick<PublicEpisode, 'audio'> & { readonly people: readonly Credit[] } {
  const { mediaName, audio, people, ...episode } = row;
  return {
    ...episode,
    audio: audio && publicAudio(mediaName, audio),
    people: people ?? show.roster,
  };
}

export interface EpisodeQuery {
  readonly limit: number;
  readonly after?: EpisodePosition | undefined;
  /** At least one. */
  readonly types?: readonly EpisodeType[] | undefined;
  readonly season?: number | undefined;
  /** Only those published from one moment until before another. */
  readonly published?: { readonly from: Date; readonly before: Date } | undefined;
  /** By default, the newest are first. */
  readonly isOldestFirst?: boolean | undefined;
}

/**
 * A page of the API and the row after it. The constant tells the planner, which plans once for all
 * parameters, how short a page is; a larger limit is a constant too.
 */
const usualRows = 51;

/** A page, or the bytes of its descriptions and credits if they are too many. */
type MeasuredPage =
  | { readonly episodes: ListedEpisode[] }
  | { readonly episodes: undefined; readonly textBytes: number };

/**
 * Lists by (public_from, id). Every combination of filters walks one index in order, forward or backward, so a
 * page costs its own rows whatever the show's length: by date alone episodes_public; with other filters one
 * short walk for each type along episodes_public_by_type or _by_season, merged.
 * Descriptions and credits that have more than `mostTextBytes` together are measured, not read. An
 * episode may have 200 credits, or show a roster of 500.
 */
export async function selectEpisodePage(
  db: Db,
  show: PublicPodcast,
  query: EpisodeQuery,
  now: Date,
  mostTextBytes: number,
): Promise<MeasuredPage> {
  const { limit, after, season, published, isOldestFirst = false } = query;
  const [direction, isAfter] = isOldestFirst ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const inOrder = sql`order by e.public_from ${direction}, e.id ${direction}`;
  const wanted = sql`e.podcast_id = ${show.id} and e.public_from <= ${now} ${
    after ? sql`and (e.public_from, e.id) ${isAfter} (${after.publishedAt}, ${after.id})` : sql``
  } ${season === undefined ? sql`` : sql`and e.public_season = ${season}`} ${
    published === undefined
      ? sql``
      : sql`and e.public_from >= ${published.from} and e.public_from < ${published.before}`
  } ${inOrder} limit ${sql.lit(Math.max(limit, usualRows))}`;
  const filtered = query.types !== undefined || season !== undefined;
  const page: RawBuilder<unknown> = filtered
    ? sql`select e.* from (values ${typeRows(query.types)}) wanted(type) cross join lateral (
        select e.* from episodes e where e.episode_type = wanted.type and ${wanted}) e`
    : sql`select e.* from episodes e where ${wanted}`;
  const creditBytes = sql`coalesce(octet_length(e.people::text), ${rosterBytes(show)}::integer)`;
  const isShort = sql`e."textBytes" <= ${mostTextBytes}`;
  const { rows } = await sql<ListedRow>`
    select ${listedColumns}, e."textBytes", case when ${isShort} then e.people end as people,
      case when ${isShort} then e.description end as description
    from (select e.*, (sum(octet_length(e.description) + ${creditBytes}) over ())::integer
        as "textBytes"
      from (select e.*, ${people} from (${page}) e ${inOrder} limit ${limit}) e) e ${joins}
    ${inOrder}`.execute(db);
  const episodes: ListedEpisode[] = [];
  for (const { textBytes, description, ...row } of rows) {
    if (description === null) return { episodes: undefined, textBytes };
    episodes.push(toPublicEpisode({ ...row, description }, show));
  }
  return { episodes };
}

/** What the roster adds to a page with each episode without credits. */
function rosterBytes({ roster }: PublicPodcast): number {
  const listed: PublicCredit[] = roster.map(({ name, role, photo }) => ({ name, role, photo }));
  return Buffer.byteLength(JSON.stringify(listed));
}

interface ListedRow extends Omit<Row, 'description' | 'showNotesHtml'> {
  readonly description: string | null;
  /** Of all descriptions and credits of the page. */
  readonly textBytes: number;
}

/** These are constants too: there are few sets of types, and each has its own plan. */
function typeRows(types: readonly EpisodeType[] = episodeTypes): RawBuilder<unknown> {
  return sql.join(
    episodeTypes.filter((type) => types.includes(type)).map((type) => sql`(${sql.lit(type)})`),
  );
}

/** How many episodes are searched for audio: a show without any is not searched to its end. */
const mostWithoutAudio = 500;

/**
 * Returns the first of these episodes, or the first with audio. By episodes_public, and
 * audio_files_pkey.
 */
export async function selectLatestEpisode(
  db: Db,
  show: PublicPodcast,
  now: Date,
  { withAudio = false } = {},
): Promise<PublicEpisodeDetail | undefined> {
  const newestFirst = sql`order by e.public_from desc, e.id desc`;
  const newest = (limit: number) => sql`select e.* from episodes e
    where e.podcast_id = ${show.id} and e.public_from <= ${now}
    ${newestFirst} limit ${sql.lit(limit)}`;
  const chosen = withAudio
    ? sql`select e.* from (${newest(mostWithoutAudio)}) e
        where exists (select from audio_files a where a.episode_id = e.id) ${newestFirst} limit 1`
    : newest(1);
  const { rows } = await sql<DetailRow>`
    select ${columns}, ${people}, ${detail} from (${chosen}) e ${joins}`.execute(db);
  return rows[0] && toPublicEpisode(rows[0], show);
}

/**
 * Returns the episode with audio with which a show begins: the oldest full one, or else the oldest.
 * By episodes_public, and audio_files_pkey.
 */
export async function selectFirstPlayable(
  db: Db,
  show: PublicPodcast,
  now: Date,
): Promise<PublicEpisodeDetail | undefined> {
  const { rows } = await sql<DetailRow>`
    select ${columns}, ${people}, ${detail} from (
      select e.* from (select e.* from episodes e
          where e.podcast_id = ${show.id} and e.public_from <= ${now}
          order by e.public_from, e.id limit ${sql.lit(mostWithoutAudio)}) e
        where exists (select from audio_files a where a.episode_id = e.id)
        order by e.episode_type <> 'full', e.public_from, e.id limit 1) e ${joins}`.execute(db);
  return rows[0] && toPublicEpisode(rows[0], show);
}

export type EpisodeRef = { readonly id: string } | { readonly slug: string };

/**
 * Finds an episode that is public at `now`. By episodes_pkey or the unique place of episode_slugs.
 */
export async function selectPublicEpisode(
  db: Db,
  show: PublicPodcast,
  ref: EpisodeRef,
  now: Date,
): Promise<PublicEpisodeDetail | undefined> {
  const { rows } = await sql<DetailRow>`
    select ${columns}, ${people}, ${detail} from episodes e ${joins}
    where ${isPublicAs(show, ref, now)}`.execute(db);
  return rows[0] && toPublicEpisode(rows[0], show);
}

export const isPublicAs = (show: PublicPodcast, ref: EpisodeRef, now: Date) =>
  sql`e.podcast_id = ${show.id} and e.public_from <= ${now} and ${
    'id' in ref
      ? sql`e.id = ${ref.id}`
      : sql`e.id = (select s.episode_id from episode_slugs s
          where s.podcast_id = ${show.id} and s.slug = ${ref.slug}) and e.slug = ${ref.slug}`
  }`;

/** Of these episodes, those that are public at `now`, in any order. By episodes_pkey. */
export async function selectEpisodesById(
  db: Db,
  show: PublicPodcast,
  ids: readonly string[],
  now: Date,
): Promise<PublicEpisode[]> {
  const { rows } = await sql<Row>`
    select ${columns}, ${people} from episodes e ${joins}
    where e.id = any (${ids}::uuid[]) and e.podcast_id = ${show.id} and e.public_from <= ${now}
    `.execute(db);
  return rows.map((row) => toPublicEpisode(row, show));
}

/**
 * The same with the beginnings of descriptions and without credits of their own, as a list of search results
 * shows them. By episodes_pkey.
 */
export async function selectEpisodesBriefly(
  db: Db,
  show: PublicPodcast,
  ids: readonly string[],
  now: Date,
): Promise<ListedEpisode[]> {
  const { rows } = await sql<Omit<Row, 'showNotesHtml'>>`
    select ${listedColumns}, left(e.description, ${sql.lit(briefChars)}) as description, null as people
    from episodes e ${joins}
    where e.id = any (${ids}::uuid[]) and e.podcast_id = ${show.id} and e.public_from <= ${now}
    `.execute(db);
  return rows.map((row) => toPublicEpisode(row, show));
}

const briefChars = 1_000;

/** Some episodes of a feed, newest first. */
export interface FeedPart {
  /** The last episode of the part before; undefined: starts with the newest. */
  readonly after: EpisodePosition | undefined;
  readonly limit: number;
}

/** A part of a feed ends with the episode whose texts exceed this. */
const feedPartBytes = 1_000_000;

/**
 * Lists the feed's episodes: public ones with audio; for a paused show only those from before the
 * pause. One episode may have 200 credits and 400 kB of texts, so a part has fewer episodes than its
 * limit if they are long. Our values are constants, not parameters: a statement without parameters is
 * planned each time. A plan made while the show was small would look through every other table once
 * for each episode.
 */
export async function selectFeedPart(
  db: Db,
  show: PublicPodcast,
  { after, limit }: FeedPart,
  now: Date,
): Promise<Page<FeedEpisode, EpisodePosition>> {
  const moment = (date: Date) => sql.lit(date.toISOString());
  const until =
    visibilityOf(show, 'feed') === 'frozen' && show.pausedAt !== null
      ? sql`e.public_from <= ${moment(show.pausedAt)} and e.status_changed_at <= ${moment(show.pausedAt)}`
      : sql`e.public_from <= ${moment(now)}`;
  const newestFirst = sql`order by e.public_from desc, e.id desc`;
  const bytes = sql`e.text_bytes + coalesce(octet_length(e.people::text), 0)
    + coalesce((select c.text_bytes from chapters c where c.episode_id = e.id), 0)`;
  const { rows } = await sql<FeedRow & { readonly found: number }>`
    select ${columns}, e.people, ${feed}, e.found
    from (select e.*, (count(*) over ())::integer as found, coalesce(sum(${bytes}) over (
        ${newestFirst} rows between unbounded preceding and 1 preceding), 0) as "bytesBefore"
      from (select e.*, ${feedPeople} from episodes e
        where e.podcast_id = ${sql.lit(show.id)} and ${until}
          and exists (select from audio_files a where a.episode_id = e.id) ${
            after
              ? sql`and (e.public_from, e.id) < (${moment(after.publishedAt)}, ${sql.lit(after.id)})`
              : sql``
          } ${newestFirst} limit ${sql.lit(limit + 1)}) e) e ${joins}
    where e."bytesBefore" <= ${sql.lit(feedPartBytes)} ${newestFirst}`.execute(db);
  const items = rows.slice(0, limit).map(({ found: _, ...row }) => toPublicEpisode(row, show));
  const last = items.at(-1);
  const hasMore = last !== undefined && items.length < (rows[0]?.found ?? 0);
  return { items, next: hasMore ? { publishedAt: last.publishedAt, id: last.id } : undefined };
}

/** Finds the podcast of an episode that is public at `now`. By episodes_pkey. */
export async function selectPodcastOfEpisode(
  db: Db,
  episodeId: string,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('episodes')
    .select('podcast_id')
    .where('id', '=', episodeId)
    .where('public_from', '<=', now)
    .executeTakeFirst();
  return row?.podcast_id;
}

/** Finds the episode's current slug by one it has or had. By episode_slugs_pkey. */
export async function selectCurrentEpisodeSlug(
  db: Db,
  podcastId: string,
  slug: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('episode_slugs as used')
    .innerJoin('episodes as e', 'e.id', 'used.episode_id')
    .select('e.slug')
    .where('used.podcast_id', '=', podcastId)
    .where('used.slug', '=', slug)
    .executeTakeFirst();
  return row?.slug;
}
