import { createHash } from 'node:crypto';
import type { Installation } from '../../../foundation/context.ts';
import type { ImageRef, PublicEpisode, PublicPodcast } from '../../../public/catalogue/index.ts';
import type { PublicAudio } from '../../../publishing/episodes/index.ts';

type Picture = Pick<ImageRef, 'id' | 'contentType'>;

/** An episode as a site's post shows it. Every field is visible, in this precision. */
export interface SiteEpisode
  extends Pick<
    PublicEpisode,
    | 'slug'
    | 'title'
    | 'subtitle'
    | 'description'
    | 'showNotesHtml'
    | 'season'
    | 'episodeNumber'
    | 'episodeType'
    | 'explicit'
  > {
  readonly podcastSlug: string;
  /** The show's own domain. Absent without one: contents from before have the same hash. */
  readonly podcastDomain?: string;
  /** ISO 8601, UTC. */
  readonly publishedAt: string;
  /** Its duration in whole seconds. */
  readonly audio: PublicAudio | null;
  /** The episode's own, else that of the show. */
  readonly artwork: Picture | null;
  /** Those credited on the episode, else the show's roster. */
  readonly people: readonly {
    readonly name: string;
    readonly role: string;
    readonly photo: Picture | null;
  }[];
  /** Absent if nothing is said: contents from before have the same hash. */
  readonly aiContent?: boolean;
  /** Null also if the site does not include transcripts. */
  readonly transcriptLanguage: string | null;
  /** Absent for a transcript with times: contents from before have the same hash. */
  readonly transcriptHasTimes?: false;
}

/** A row of `site_contents`. */
export interface KeptRow {
  /** 43 characters of base64url. */
  readonly hash: string;
  /** A SiteEpisode without the parts that are apart, or one of the parts. */
  readonly json: string;
}

/** A content as it is stored in `site_contents`. */
export interface KeptContent extends KeptRow {
  /** A long list of people, which many episodes of a show may have. */
  readonly people: KeptRow | undefined;
  /** Long texts, which stay the same when something changes that all episodes of a show have. */
  readonly texts: KeptRow | undefined;
}

/** Shorter parts are stored with each content. */
const longPartChars = 500;

/**
 * The hash of a content includes the hash of a list as long as this. Another number changes the
 * hashes of contents.
 */
const hashedPeopleChars = 2_000;

export function toSiteEpisode(
  podcast: PublicPodcast,
  episode: PublicEpisode,
  { transcripts }: { readonly transcripts: boolean },
): SiteEpisode {
  return {
    podcastSlug: podcast.slug,
    ...(podcast.domain !== null && { podcastDomain: podcast.domain }),
    slug: episode.slug,
    title: episode.title,
    subtitle: episode.subtitle,
    description: episode.description,
    showNotesHtml: episode.showNotesHtml,
    season: episode.season,
    episodeNumber: episode.episodeNumber,
    episodeType: episode.episodeType,
    explicit: episode.explicit,
    publishedAt: episode.publishedAt.toISOString(),
    audio: episode.audio && inWholeSeconds(episode.audio),
    artwork: toPicture(episode.artwork ?? podcast.artwork),
    people: toPeople(episode.people),
    ...(episode.aiContent !== null && { aiContent: episode.aiContent }),
    transcriptLanguage: transcripts ? episode.transcriptLanguage : null,
    ...(transcripts && !episode.transcriptHasTimes && { transcriptHasTimes: false }),
  };
}

/** Episodes that credit nobody themselves share the list of their show, of up to 500 people. */
const peopleOf = new WeakMap<PublicEpisode['people'], SiteEpisode['people']>();
const keptPeople = new WeakMap<SiteEpisode['people'], KeptRow>();

function toPeople(credits: PublicEpisode['people']): SiteEpisode['people'] {
  const known = peopleOf.get(credits);
  if (known !== undefined) return known;
  const people = credits.map(({ name, role, photo }) => ({ name, role, photo: toPicture(photo) }));
  peopleOf.set(credits, people);
  return people;
}

/**
 * Hashes everything that the site shows, with the hosts in its addresses. Equal contents have equal
 * hashes, because the fields of a SiteEpisode always have the same order. Of a long list of people, only
 * the hash is part of it.
 */
export function hashContent(
  hosts: Pick<Installation, 'baseUrl' | 'embedUrl'>,
  episode: SiteEpisode,
): string {
  const { people, ...rest } = episode;
  const list = keepPeople(people);
  const isLong = list.json.length >= hashedPeopleChars;
  return sha256(
    JSON.stringify([hosts.baseUrl, hosts.embedUrl]),
    JSON.stringify(isLong ? rest : episode),
    isLong ? list.hash : '',
  );
}

/** `hash`: that of `hashContent`. */
export function toKeptContent(hash: string, episode: SiteEpisode): KeptContent {
  const { subtitle, description, showNotesHtml, people, ...rest } = episode;
  const texts = { subtitle, description, showNotesHtml };
  const keptTexts = keepRow(texts);
  const list = keepPeople(people);
  const [areTextsLong, isListLong] = [isLongPart(keptTexts), isLongPart(list)];
  const json = JSON.stringify({
    ...rest,
    ...(!areTextsLong && texts),
    ...(!isListLong && { people }),
  });
  return {
    hash,
    json,
    people: isListLong ? list : undefined,
    texts: areTextsLong ? keptTexts : undefined,
  };
}

const isLongPart = ({ json }: KeptRow): boolean => json.length >= longPartChars;

function keepPeople(people: SiteEpisode['people']): KeptRow {
  let kept = keptPeople.get(people);
  if (kept === undefined) {
    kept = keepRow(people);
    keptPeople.set(people, kept);
  }
  return kept;
}

function keepRow(part: unknown): KeptRow {
  const json = JSON.stringify(part);
  return { hash: sha256(json), json };
}

function sha256(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('base64url');
}

/** The API shows whole seconds, so smaller differences are not changes. */
function inWholeSeconds({
  fileName,
  contentType,
  sizeBytes,
  durationMs,
}: PublicAudio): PublicAudio {
  const rounded = durationMs === null ? null : Math.round(durationMs / 1000) * 1000;
  return { fileName, contentType, sizeBytes, durationMs: rounded };
}

function toPicture(image: ImageRef | null): Picture | null {
  return image && { id: image.id, contentType: image.contentType };
}

/**
 * unpublished: it may come back. deleted: it does not. show_removed: the site may not read it any
 * more.
 */
export const tombstoneReasons = ['unpublished', 'deleted', 'show_removed'] as const;
export type TombstoneReason = (typeof tombstoneReasons)[number];

interface Change {
  /** Each change has a higher one than the changes before it. */
  readonly seq: number;
  readonly episodeId: string;
  readonly podcastId: string;
  readonly changedAt: Date;
}

/** Show the episode like this. */
interface Upsert extends Change {
  readonly contentHash: string;
  readonly episode: SiteEpisode;
}

/** Stop showing the episode. */
interface Tombstone extends Change {
  readonly contentHash: null;
  readonly reason: TombstoneReason;
}

export type SiteChange = Upsert | Tombstone;

export interface SiteChangePage {
  /** The number of the last change; if there are none, the requested position. */
  readonly cursor: number;
  readonly changes: readonly SiteChange[];
}
