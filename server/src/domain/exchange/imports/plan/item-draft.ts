import { episodeFields } from '../../../../lib/fields/episode-fields.ts';
import { shorten } from '../../../../lib/shorten.ts';
import { slugify } from '../../../../lib/slug.ts';
import type { RedirectTable } from '../../../foundation/context.ts';
import { fingerprintEnclosure, fingerprintGuid } from '../../../foundation/provenance/index.ts';
import { detectExternalType, type ExternalAudio } from '../../../publishing/audio/index.ts';
import type { EpisodeFields, EpisodeSource } from '../../../publishing/episodes/index.ts';
import { type CleanShowNotes, readTxtFields } from '../../../publishing/podcasts/index.ts';
import {
  type Chapter,
  ChaptersError,
  completeChapters,
  type ParsedChapters,
} from '../../../publishing/transcripts/index.ts';
import type { WholeItem } from '../match/match-items.ts';
import type { ParsedPerson } from '../read/feed/parsed-feed.ts';
import { type ReadItem, refOf } from '../read/item-texts.ts';
import type { ItemRef } from '../report/import-report.ts';
import { mapPeople } from './map-credit.ts';
import { tryPublicAddress } from './podcast-fields.ts';

/** The fields of an episode that its feed defines; missing ones are omitted. */
export type ImportedEpisodeFields = Partial<
  Omit<EpisodeFields, 'slug' | 'shareTranscriptWithCohosts' | 'publishTranscript'>
>;

/** A feed's item as a future episode. */
export interface ItemDraft {
  readonly ref: ItemRef;
  readonly title: string;
  /** The base; a number is added if it is taken. */
  readonly slug: string;
  /**
   * For our own feed; undefined: the episode's id, because the item has no GUID that may be
   * published.
   */
  readonly guid: string | undefined;
  readonly source: EpisodeSource;
  readonly fields: ImportedEpisodeFields;
  /** Already sanitized: `fields.showNotesHtml` and the same as plain text. */
  readonly notes: CleanShowNotes | undefined;
  readonly date: Date | undefined;
  readonly audio: ExternalAudio | undefined;
  readonly people: readonly ParsedPerson[];
  /** Chapters inside the feed; undefined if there are none or they are in a file. */
  readonly chapters: readonly Chapter[] | undefined;
}

export function draftItem(
  { item, key, guid }: Pick<WholeItem, 'item' | 'key' | 'guid'>,
  redirects: RedirectTable,
): ItemDraft {
  const title = titleOf(item);
  const url = item.enclosure?.url;
  return {
    ref: refOf(item),
    title,
    slug: slugify(title) ?? fallbackSlug(item),
    guid,
    source: {
      key,
      guid: item.guid ?? null,
      enclosureUrl: url ?? null,
      guidSha256: fingerprintGuid(item.guid ?? null),
      enclosureSha256: fingerprintEnclosure(url ?? null, redirects),
    },
    fields: fieldsOf(item, title, guid),
    notes: item.notes,
    date: item.publishedAt,
    audio: audioOf(item),
    people: mapPeople(item.people),
    chapters: item.chapters === undefined ? draftInlineChapters(item) : undefined,
  };
}

function fieldsOf(item: ReadItem, title: string, guid: string | undefined): ImportedEpisodeFields {
  const txt = readTxtFields(episodeFields, item.extraElements);
  const fields: { [K in keyof ImportedEpisodeFields]: ImportedEpisodeFields[K] | undefined } = {
    title,
    subtitle: item.subtitle && shorten(item.subtitle, 1000),
    description: item.description,
    showNotesHtml: item.notes?.showNotesHtml,
    season: item.season,
    seasonName: item.seasonName,
    episodeNumber: item.episode,
    episodeDisplay: item.episodeDisplay,
    episodeType: item.episodeType,
    explicit: item.explicit,
    itunesTitle: readItunesTitle(item, title),
    itunesBlock: item.block,
    guidIsPermalink: item.guidIsPermalink && guid === item.guid,
    extraElements: txt.others,
    ...txt.values,
    linkUrl: tryPublicAddress(item.link),
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as ImportedEpisodeFields;
}

/** Null if it equals the title; undefined if the feed has none. */
function readItunesTitle({ itunesTitle }: ReadItem, title: string): string | null | undefined {
  if (itunesTitle === undefined) return undefined;
  const shown = shorten(itunesTitle, 500);
  return shown === title ? null : shown;
}

function titleOf(item: ReadItem): string {
  const said = item.title ?? item.subtitle ?? fileName(item.enclosure?.url);
  return shorten(said ?? 'Untitled episode', 500);
}

function fileName(url: string | undefined): string | undefined {
  const last = URL.parse(url ?? '')
    ?.pathname.split('/')
    .at(-1);
  const [, name] = /^(.+)\.[a-z0-9]{2,5}$/i.exec(last ?? '') ?? [];
  return name?.replace(/(?:[-_]|%20)+/g, ' ');
}

/** For titles in scripts without a slug. */
function fallbackSlug(item: ReadItem): string {
  const day = item.publishedAt?.toISOString().slice(0, 10);
  if (item.episode !== undefined) return `episode-${item.episode}`;
  return day === undefined || !/^\d{4}-/.test(day) ? 'episode' : `episode-${day}`;
}

function audioOf({ enclosure, durationMs }: ReadItem): ExternalAudio | undefined {
  if (enclosure === undefined) return undefined;
  if (detectExternalType(enclosure.url, enclosure.type ?? null) === undefined) return undefined;
  return {
    url: enclosure.url,
    declaredType: enclosure.type ?? null,
    sizeBytes: enclosure.lengthBytes ?? null,
    durationMs: durationMs ?? null,
  };
}

/** Undefined if none has a title. */
export function draftInlineChapters(item: ReadItem): readonly Chapter[] | undefined {
  if (item.inlineChapters.length === 0) return undefined;
  try {
    return completeInlineChapters(item).chapters;
  } catch (error) {
    if (error instanceof ChaptersError) return undefined;
    throw error;
  }
}

/** Throws ChaptersError. */
export function completeInlineChapters({
  inlineChapters,
}: Pick<ReadItem, 'inlineChapters'>): ParsedChapters {
  return completeChapters(
    inlineChapters.map(({ startMs, title, href, image }) => ({
      startMs,
      title,
      linkUrl: href,
      imageUrl: image,
    })),
  );
}
