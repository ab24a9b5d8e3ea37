import { describeBytes } from '../../../../lib/describe-bytes.ts';
import { isFractionalNumber } from '../../../../lib/fractional-number.ts';
import { tryParseLanguage } from '../../../../lib/language.ts';
import { peopleLimits } from '../../../../lib/limits.ts';
import { createYielder } from '../../../../lib/time-slices.ts';
import type { PeopleLimit } from '../../../publishing/people/index.ts';
import { type FeedLevel, tryParseAppleCategory } from '../../../publishing/podcasts/index.ts';
import {
  ChaptersError,
  describeLeftOut,
  type LeftOut,
} from '../../../publishing/transcripts/index.ts';
import type { ImportedPeople } from '../import-run.ts';
import type { MatchedList } from '../match/match-items.ts';
import { groupTranscripts } from '../plan/group-transcripts.ts';
import { completeInlineChapters } from '../plan/item-draft.ts';
import { mapCredit } from '../plan/map-credit.ts';
import { tryPublicAddress } from '../plan/podcast-fields.ts';
import type { ParsedPerson, ParsedPodcast } from '../read/feed/parsed-feed.ts';
import { type ReadFeed, type ReadItem, refOf } from '../read/item-texts.ts';
import type { ItemRef } from './import-report.ts';
import type { ReportDraft } from './report-draft.ts';

/** Reports on the feed as a whole; the same for a dry run and an import. */
export async function reportFeed(
  report: ReportDraft,
  pages: readonly ReadFeed[],
  { isNew, channel }: { readonly isNew: boolean; readonly channel: ParsedPodcast },
): Promise<void> {
  for (const { unread } of pages) for (const element of unread) report.leaveUnread(element);
  await reportTranscripts(report, pages);
  await reportLinks(report, pages);
  const [first] = pages;
  if (first === undefined) return;
  if (isNew) {
    reportDefaults(report, first.podcast);
    reportPrefixes(report, channel);
  }
  for (const { category, subcategory } of first.podcast.categories) {
    if (tryParseAppleCategory({ category, subcategory }) !== undefined) continue;
    const name = subcategory === undefined ? category : `${category} > ${subcategory}`;
    const message = `Apple does not know the category ${JSON.stringify(name)}. It is imported unchanged.`;
    report.warn({ reason: 'unknown_category', message });
  }
  await reportRoles(report, pages);
  reportNamesWithoutNumber(report, pages);
  await reportAuthors(report, pages);
  await reportInlineChapters(report, pages);
}

function reportPrefixes(report: ReportDraft, { enclosurePrefixes = [] }: ParsedPodcast): void {
  if (enclosurePrefixes.length === 0) return;
  const named = enclosurePrefixes.join(', ');
  const message = `The feed measures downloads with ${named}. The feed here does so, too.`;
  report.warn({ reason: 'prefixes_kept', message });
}

export function reportList(report: ReportDraft, list: MatchedList): void {
  const { items, leftOut, flawed, recognized, withoutAudio } = list;
  for (const problem of leftOut) report.leaveOut(problem);
  for (const { reason, message, ...ref } of flawed) report.warn({ reason, message }, ref);
  if (recognized > 0) {
    const message = `${recognized} items have a new GUID. They were recognized by their audio or title and keep the GUID they have here.`;
    report.warn({ reason: 'guids_changed', message });
  }
  const nameless = items.filter(({ episodeId, guid, item }) => {
    return episodeId === undefined && guid === undefined && item.enclosure !== undefined;
  });
  if (nameless.length > 0) {
    const message = `${nameless.length} items have no GUID that can be published: neither their own nor a URL without a credential. They get a new one, and apps will show them as new episodes once.`;
    report.warn({ reason: 'new_guid', message });
  }
  if (withoutAudio.length > 0) reportWithoutAudio(report, withoutAudio, items.length === 0);
  else if (items.length === 0)
    report.warn({ reason: 'no_items', message: 'The feed has no episodes.' });
}

const shownNames = 20;

function listNames(all: readonly string[]): string {
  const names = all.slice(0, shownNames).map((name) => JSON.stringify(name));
  const others = all.length - names.length;
  return names.join(', ') + (others > 0 ? ` and ${others} more` : '');
}

/** People who do not fit into the show. */
export function reportLeftOutPeople(report: ReportDraft, people: ImportedPeople): void {
  for (const [reason, names] of people.leftOut()) {
    const message = `${aboutLimit[reason]} Left out: ${listNames(names)}.`;
    report.warn({ reason, message });
  }
}

const aboutLimit: Readonly<Record<PeopleLimit, string>> = {
  people_full: `A show can have at most ${peopleLimits.known} people, so others are not credited.`,
  roster_full: `The roster of a show can have at most ${peopleLimits.roster} people, so others are not on it.`,
  people_texts_full: `The names, bios and links of a show's people can have at most ${describeBytes(peopleLimits.textBytes)}, so some people or their links are missing.`,
};

function reportWithoutAudio(report: ReportDraft, items: readonly ItemRef[], isAll: boolean): void {
  const list = listNames(items.map(({ title, guid }) => title ?? guid ?? ''));
  if (isAll) {
    const message = `Nothing in the feed has audio, so no episodes are imported. It may be the feed of a blog. Left out: ${list}.`;
    report.warn({ reason: 'feed_without_audio', message });
    return;
  }
  const what = items.length === 1 ? '1 item has' : `${items.length} items have`;
  report.warn({
    reason: 'items_without_audio',
    message: `${what} no audio and do not become episodes: ${list}.`,
  });
}

/** An import takes a limited number of languages for each episode. */
async function reportTranscripts(report: ReportDraft, pages: readonly ReadFeed[]): Promise<void> {
  const showLanguage = pages[0]?.podcast.language ?? '';
  let count = 0;
  const maybeYield = createYielder();
  for (const { transcripts } of pages.flatMap(({ items }) => items)) {
    await maybeYield();
    count += groupTranscripts(transcripts, showLanguage).leftOut;
  }
  const element = 'podcast:transcript (further languages)';
  if (count > 0) report.leaveUnread({ element, level: 'item', count });
}

/** Links that must not be published, because they are too long or carry a credential. */
async function reportLinks(report: ReportDraft, pages: readonly ReadFeed[]): Promise<void> {
  // A feed repeats the links of its people with each item.
  const usable = new Map<string, boolean>();
  const isUsable = (url: string) => {
    const known = usable.get(url) ?? tryPublicAddress(url) !== undefined;
    usable.set(url, known);
    return known;
  };
  const check = (level: FeedLevel, element: string, url: string | undefined) => {
    if (url !== undefined && !isUsable(url)) report.leaveUnread({ element, level, count: 1 });
  };
  const maybeYield = createYielder();
  const checkPeople = async (level: FeedLevel, people: readonly ParsedPerson[]) => {
    for (const { href } of people) {
      check(level, 'podcast:person@href', href);
      await maybeYield();
    }
  };
  const show = pages[0]?.podcast;
  check('channel', 'link', show?.websiteUrl);
  for (const { url } of show?.funding ?? []) check('channel', 'podcast:funding', url);
  await checkPeople('channel', show?.people ?? []);
  for (const { link, people } of pages.flatMap(({ items }) => items)) {
    await maybeYield();
    check('item', 'link', link);
    await checkPeople('item', people);
  }
}

/** Defaults for a new podcast whose feed lacks them. */
function reportDefaults(report: ReportDraft, { author, language }: ReadFeed['podcast']): void {
  if (author === undefined) {
    const message = 'The feed has no author. Your account’s name is used instead.';
    report.warn({ reason: 'no_author', message });
  }
  if (tryParseLanguage(language) === undefined) {
    const said = language === undefined ? 'names no language' : 'names an invalid language';
    report.warn({ reason: 'no_language', message: `The feed ${said}. English is assumed.` });
  }
}

/** Chapters inside the feed; those in files are read when an import fetches them. */
async function reportInlineChapters(
  report: ReportDraft,
  pages: readonly ReadFeed[],
): Promise<void> {
  const maybeYield = createYielder();
  for (const item of pages.flatMap(({ items }) => items)) {
    await maybeYield();
    if (item.inlineChapters.length === 0) continue;
    const leftOut = findLeftOut(item);
    if (leftOut.count === 0) continue;
    const message = `Its chapters are not complete: ${describeLeftOut(leftOut)}`;
    report.warn({ reason: 'parts_left_out', message }, refOf(item));
  }
}

function findLeftOut(item: ReadItem): LeftOut {
  try {
    return completeInlineChapters(item).leftOut;
  } catch (error) {
    if (!(error instanceof ChaptersError)) throw error;
    return { count: item.inlineChapters.length, examples: [] };
  }
}

/** Our feed writes the name of a season, or the display of an episode, only beside its number. */
function reportNamesWithoutNumber(report: ReportDraft, pages: readonly ReadFeed[]): void {
  const items = pages.flatMap((page) => page.items);
  const seasons = items.filter(({ season, seasonName }) => season === undefined && seasonName);
  if (seasons.length > 0) {
    const message = `${seasons.length} items have a season name without a number. The name is stored, but appears in the feed only once the episode has a season.`;
    report.warn({ reason: 'season_without_number', message });
  }
  const episodes = items.filter(({ episode, episodeDisplay: display }) => {
    return episode === undefined && display !== undefined && !isFractionalNumber(display);
  });
  if (episodes.length > 0) {
    const message = `${episodes.length} items display text instead of an episode number. The text is stored, but appears in the feed only once the episode has a number.`;
    report.warn({ reason: 'display_without_number', message });
  }
}

/** Authors of items have no place beside the people of an episode and the author of the show. */
async function reportAuthors(report: ReportDraft, pages: readonly ReadFeed[]): Promise<void> {
  const show = pages[0]?.podcast;
  const ofShow = namesIn([show?.author, show?.ownerName, ...(show?.people ?? []).map(nameOf)]);
  const counts = new Map<string, number>();
  const maybeYield = createYielder();
  for (const { authors, people } of pages.flatMap(({ items }) => items)) {
    await maybeYield();
    const known = namesIn(people.map(nameOf));
    for (const { element, name } of authors) {
      const key = name.toLowerCase();
      if (!ofShow.has(key) && !known.has(key)) counts.set(element, (counts.get(element) ?? 0) + 1);
    }
  }
  for (const [element, count] of counts) report.leaveUnread({ element, level: 'item', count });
}

const nameOf = ({ name }: ParsedPerson): string => name;

function namesIn(names: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(names.map((name) => (name ?? '').toLowerCase()));
}

/** Each role once, however many people have it. */
async function reportRoles(report: ReportDraft, pages: readonly ReadFeed[]): Promise<void> {
  const names = new Map<string, Set<string>>();
  const maybeYield = createYielder();
  for (const person of peopleOf(pages)) {
    await maybeYield();
    if (!mapCredit(person).isUnknown) continue;
    const credit = `${person.role} (${person.group})`;
    names.set(credit, (names.get(credit) ?? new Set()).add(person.name));
  }
  for (const [credit, who] of names) {
    const [name = ''] = who;
    const others = who.size > 1 ? ` and ${who.size - 1} more` : '';
    const message =
      `The role ${JSON.stringify(credit)} of ${name}${others} is not in the Podcasting 2.0 ` +
      'taxonomy. They are credited as host, in the group cast.';
    report.warn({ reason: 'unknown_role', message });
  }
}

function* peopleOf(pages: readonly ReadFeed[]): Generator<ParsedPerson> {
  if (pages[0] !== undefined) yield* pages[0].podcast.people;
  for (const { items } of pages) for (const { people } of items) yield* people;
}
