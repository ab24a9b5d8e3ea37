import { describeBytes } from '../../../../lib/describe-bytes.ts';
import { tryParseLanguage } from '../../../../lib/language.ts';
import { peopleLimits } from '../../../../lib/limits.ts';
import { createYielder } from '../../../../lib/time-slices.ts';
import type { PeopleLimit } from '../../../publishing/people/index.ts';
import { tryParseAppleCategory } from '../../../publishing/podcasts/index.ts';
import type { ImportedPeople } from '../import-run.ts';
import type { MatchedList } from '../match/match-items.ts';
import type { ParsedPodcast } from '../read/feed/parsed-feed.ts';
import type { ReadFeed } from '../read/read-feed.ts';
import type { ItemRef } from './import-report.ts';
import { ItemsReport } from './items-report.ts';
import type { ReportDraft } from './report-draft.ts';

/** Reports on the feed as a whole; the same for a dry run and an import. */
export async function reportFeed(
  report: ReportDraft,
  feed: ReadFeed,
  { isNew, channel }: { readonly isNew: boolean; readonly channel: ParsedPodcast },
): Promise<void> {
  for (const element of feed.unread) report.leaveUnread(element);
  const { podcast } = feed;
  if (isNew) {
    reportDefaults(report, podcast);
    reportPrefixes(report, channel);
  }
  for (const { category, subcategory } of podcast.categories) {
    if (tryParseAppleCategory({ category, subcategory }) !== undefined) continue;
    const name = subcategory === undefined ? category : `${category} > ${subcategory}`;
    const message = `Apple does not know the category ${JSON.stringify(name)}. It is imported unchanged.`;
    report.warn({ reason: 'unknown_category', message });
  }
  const items = new ItemsReport(report, podcast);
  await items.addShow(podcast);
  const maybeYield = createYielder();
  for await (const item of feed.all()) {
    await items.add(item);
    await maybeYield();
  }
  items.finish();
}

function reportPrefixes(report: ReportDraft, { enclosurePrefixes = [] }: ParsedPodcast): void {
  if (enclosurePrefixes.length === 0) return;
  const named = enclosurePrefixes.join(', ');
  const message = `The feed measures downloads with ${named}. The feed here does so, too.`;
  report.warn({ reason: 'prefixes_kept', message });
}

export function reportList(report: ReportDraft, list: MatchedList): void {
  const { items, problems, recognized, withoutAudio } = list;
  for (const { leftOut, ...problem } of problems.listed) {
    const { reason, message, ...ref } = problem;
    if (leftOut) report.leaveOut(problem);
    else report.warn({ reason, message }, ref);
  }
  report.countMore(problems.more);
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

function listNames<T>(all: readonly T[], nameOf: (one: T) => string): string {
  const names = all.slice(0, shownNames).map((one) => JSON.stringify(nameOf(one)));
  const others = all.length - names.length;
  return names.join(', ') + (others > 0 ? ` and ${others} more` : '');
}

/** People who do not fit into the show. */
export function reportLeftOutPeople(report: ReportDraft, people: ImportedPeople): void {
  for (const [reason, names] of people.leftOut()) {
    const message = `${aboutLimit[reason]} Left out: ${listNames(names, (name) => name)}.`;
    report.warn({ reason, message });
  }
}

const aboutLimit: Readonly<Record<PeopleLimit, string>> = {
  people_full: `A show can have at most ${peopleLimits.known} people, so others are not credited.`,
  roster_full: `The roster of a show can have at most ${peopleLimits.roster} people, so others are not on it.`,
  people_texts_full: `The names, bios and links of a show's people can have at most ${describeBytes(peopleLimits.textBytes)}, so some people or their links are missing.`,
};

function reportWithoutAudio(report: ReportDraft, items: readonly ItemRef[], isAll: boolean): void {
  const list = listNames(items, ({ title, guid }) => title ?? guid ?? '');
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

/** Defaults for a new podcast whose feed lacks them. */
function reportDefaults(report: ReportDraft, { author, language }: ParsedPodcast): void {
  if (author === undefined) {
    const message = 'The feed has no author. Your account’s name is used instead.';
    report.warn({ reason: 'no_author', message });
  }
  if (tryParseLanguage(language) === undefined) {
    const said = language === undefined ? 'names no language' : 'names an invalid language';
    report.warn({ reason: 'no_language', message: `The feed ${said}. English is assumed.` });
  }
}
