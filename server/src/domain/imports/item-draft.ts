import { carriesCredential } from '../../lib/credential.ts';
import { slugify } from '../../lib/slug.ts';
import type { EpisodeFields, EpisodeSource } from '../episodes/index.ts';
import type { ExternalAudio } from '../media/index.ts';
import { type Chapter, ChaptersError, completeChapters } from '../transcripts/index.ts';
import type { ParsedItem, ParsedPerson } from './feed/parsed-feed.ts';
import { readPlainText, readShowNotes, shorten } from './feed-texts.ts';
import type { ItemRef } from './import-report.ts';
import { tryPublicAddress } from './podcast-fields.ts';
import { fingerprintEnclosure, fingerprintGuid, type RedirectTable } from './provenance/index.ts';

/** What of an episode its feed decides. What the feed does not say is left out. */
export type ImportedEpisodeFields = Partial<
  Omit<EpisodeFields, 'slug' | 'shareTranscriptWithCohosts' | 'publishTranscript'>
>;

/** An item of a feed as the episode it is to be. */
export interface ItemDraft {
  readonly ref: ItemRef;
  readonly title: string;
  /** To begin with; a number is put behind it where it is taken. */
  readonly slug: string;
  /** For our own feed; undefined: the episode's id, because the item has none that may be shown. */
  readonly guid: string | undefined;
  readonly source: EpisodeSource;
  readonly fields: ImportedEpisodeFields;
  readonly date: Date | undefined;
  readonly audio: ExternalAudio | undefined;
  readonly people: readonly ParsedPerson[];
  /** Of the feed itself; undefined where it has none, or names a file of them. */
  readonly chapters: readonly Chapter[] | undefined;
}

const maxEpisodeNumber = 1_000_000;

export function draftItem(
  item: ParsedItem,
  sourceKey: string,
  redirects: RedirectTable,
): ItemDraft {
  const title = titleOf(item);
  const url = item.enclosure?.url;
  return {
    ref: refOf(item),
    title,
    slug: slugify(title) ?? fallbackSlug(item),
    guid: item.guid === undefined || carriesCredential(item.guid) ? undefined : item.guid,
    source: {
      key: sourceKey,
      guid: item.guid ?? null,
      enclosureUrl: url ?? null,
      guidSha256: fingerprintGuid(item.guid ?? null),
      enclosureSha256: fingerprintEnclosure(url ?? null, redirects),
    },
    fields: fieldsOf(item, title),
    date: item.publishedAt,
    audio: audioOf(item),
    people: item.people,
    chapters: item.chapters === undefined ? readInlineChapters(item) : undefined,
  };
}

/** How a report names an item. */
export function refOf(item: Pick<ParsedItem, 'guid' | 'title'>): ItemRef {
  const { guid, title } = item;
  const isSecret = guid !== undefined && carriesCredential(guid);
  return { guid: isSecret ? null : (guid ?? null), title: title ?? null };
}

function fieldsOf(item: ParsedItem, title: string): ImportedEpisodeFields {
  const notes = item.contentHtml ?? item.descriptionHtml ?? item.summary;
  const description = item.descriptionHtml ?? item.summary ?? item.contentHtml;
  const number = item.episode ?? Number.POSITIVE_INFINITY;
  const fields: { [K in keyof ImportedEpisodeFields]: ImportedEpisodeFields[K] | undefined } = {
    title,
    subtitle: item.subtitle && shorten(item.subtitle, 1000),
    description: (description && readPlainText(description, 100_000)) || undefined,
    showNotesHtml: (notes && readShowNotes(notes)) || undefined,
    season: item.season,
    episodeNumber: number <= maxEpisodeNumber ? number : undefined,
    episodeType: item.episodeType,
    explicit: item.explicit,
    linkUrl: tryPublicAddress(item.link),
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as ImportedEpisodeFields;
}

function titleOf(item: ParsedItem): string {
  const said = item.title ?? item.subtitle ?? fileName(item.enclosure?.url);
  return shorten(said ?? 'Untitled episode', 500);
}

function fileName(url: string | undefined): string | undefined {
  const [, name] = /([^/]+)\.[a-z0-9]{2,5}$/i.exec(URL.parse(url ?? '')?.pathname ?? '') ?? [];
  return name?.replace(/(?:[-_]|%20)+/g, ' ');
}

/** For a title in a script that has no slug. */
function fallbackSlug(item: ParsedItem): string {
  const day = item.publishedAt?.toISOString().slice(0, 10);
  if (item.episode !== undefined) return `episode-${item.episode}`;
  return day === undefined || !/^\d{4}-/.test(day) ? 'episode' : `episode-${day}`;
}

function audioOf({ enclosure, durationMs }: ParsedItem): ExternalAudio | undefined {
  if (enclosure === undefined) return undefined;
  return {
    url: enclosure.url,
    declaredType: enclosure.type ?? null,
    sizeBytes: enclosure.lengthBytes ?? null,
    durationMs: durationMs ?? null,
  };
}

/** Undefined where there are none that say anything. */
export function readInlineChapters(item: ParsedItem): Chapter[] | undefined {
  if (item.inlineChapters.length === 0) return undefined;
  try {
    return completeChapters(
      item.inlineChapters.map(({ startMs, title, href, image }) => ({
        startMs,
        title,
        linkUrl: href,
        imageUrl: image,
      })),
    );
  } catch (error) {
    if (error instanceof ChaptersError) return undefined;
    throw error;
  }
}
