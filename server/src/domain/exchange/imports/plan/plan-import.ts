import { createYielder } from '../../../../lib/time-slices.ts';
import type { User } from '../../../foundation/accounts/index.ts';
import type { Context } from '../../../foundation/context.ts';
import { findImageBySource } from '../../../publishing/images/index.ts';
import type { Podcast } from '../../../publishing/podcasts/index.ts';
import {
  findPublishedLanguage,
  findPublishedTranscript,
} from '../../../publishing/transcripts/index.ts';
import {
  compareWithChannel,
  reportNewPodcast,
  reportPodcast,
  withoutRemoved,
} from '../apply/import-show.ts';
import { furtherField } from '../apply/import-transcripts.ts';
import { printTranscript } from '../apply/print-transcript.ts';
import { firstProgress } from '../begin-import.ts';
import { channelOf, matchFeed } from '../carry-out-import.ts';
import type { ImportTarget } from '../import.ts';
import type { ImportLimits } from '../import-limits.ts';
import { ImportedPeople } from '../import-run.ts';
import { choosePodcast } from '../match/choose-podcast.ts';
import { type KnownItem, selectImportedOf } from '../match/known-identities.sql.ts';
import type { MatchedItem, WholeItem } from '../match/match-items.ts';
import { warnOfKnownShow } from '../match/recognize-show.ts';
import type { ParsedPerson, ParsedPodcast } from '../read/feed/parsed-feed.ts';
import type { FetchedFeed } from '../read/fetch-feed.ts';
import { refOf } from '../read/item-texts.ts';
import { Transfers } from '../read/transfers.ts';
import type { ImportProgress, ImportReport, ReportedPodcast } from '../report/import-report.ts';
import { ReportDraft } from '../report/report-draft.ts';
import { reportFeed, reportLeftOutPeople, reportList } from '../report/report-feed.ts';
import {
  describeAddress,
  describeOwnChapters,
  describeOwnTranscript,
  describePicture,
  describeSourceTranscript,
} from './describe-parts.ts';
import { groupTranscripts, type TranscriptGroup } from './group-transcripts.ts';
import {
  isChangedHere,
  isPrintChangedHere,
  type KeptValue,
  type MergeRules,
} from './imported-values.ts';
import { mapPeople } from './map-credit.ts';
import { describeChapters, findAudioProblem, type ItemPlan, planItem } from './plan-item.ts';
import { PlannedPeople } from './planned-people.ts';

export interface ImportToPlan {
  readonly owner: User;
  readonly feed: FetchedFeed;
  readonly wish: ImportTarget;
  readonly copyAudio: boolean;
  readonly overwrite: boolean;
  readonly limits: ImportLimits;
  /** Undefined if it is not recorded. */
  readonly importId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** A dry run: what an import of this feed would do now. Writes nothing. */
export async function planImport(ctx: Context, input: ImportToPlan): Promise<ImportReport> {
  const { feed, owner, signal } = input;
  const report = new ReportDraft(input.limits);
  for (const { reason, message } of feed.warnings) report.warn({ reason, message });
  const choice = await choosePodcast(ctx, owner, feed, input.wish);
  await loadItems(input);
  const channel = await channelOf(ctx, feed.content);
  const known = choice.kind === 'new' ? undefined : choice.podcast;
  const { copyAudio, limits } = input;
  const transfers = new Transfers(ctx, limits, signal ?? new AbortController().signal);
  const list = await matchFeed({ ctx, copyAudio, transfers }, known?.id, feed.content);
  await reportFeed(report, feed.content, { isNew: choice.kind === 'new', channel });
  reportList(report, list);
  if (choice.kind === 'new') {
    await warnOfKnownShow(ctx, report, list.items, { id: owner.accountId });
  }
  const imported = known === undefined ? null : await selectImportedOf(ctx.db, known.id);
  const rules = { imported, overwrite: input.overwrite };
  const importedPeople = new ImportedPeople(rules);
  const people = await PlannedPeople.begin(ctx, known?.id, importedPeople);
  const { podcast, roster } =
    choice.kind === 'new'
      ? { podcast: reportNewPodcast(ctx, channel, choice), roster: mapPeople(channel.people) }
      : await planShow(ctx, report, choice.podcast, { channel, rules });
  for (const named of roster) people.add(named, { roster: true });
  await planItems(ctx, report, list.items, { input, known, people });
  reportLeftOutPeople(report, importedPeople);
  return report.finish({ importId: null, podcast });
}

async function loadItems(input: ImportToPlan): Promise<void> {
  const { feed, limits, importId, signal, onProgress } = input;
  const onWait = () => onProgress?.({ phase: 'waiting', done: 0, total: undefined });
  await feed.content.load({ memory: limits.itemMemory, importId, signal, onWait });
  onProgress?.(firstProgress);
}

async function planItems(
  ctx: Context,
  report: ReportDraft,
  items: readonly MatchedItem[],
  { input, known, people }: PlannedShow,
): Promise<void> {
  const { signal, onProgress, overwrite } = input;
  const maybeYield = createYielder();
  for (const [done, matched] of items.entries()) {
    await maybeYield();
    signal?.throwIfAborted();
    onProgress?.({ phase: 'episodes', done, total: items.length });
    if (matched.deletedId !== undefined && !overwrite) {
      report.keepDeleted(matched.key, refOf(matched.item));
      continue;
    }
    const whole = { ...matched, item: await input.feed.content.item(matched.item) };
    const plan = await planItem(ctx, whole, input);
    for (const named of plan.credits ?? []) people.add(named, { roster: false });
    planned(report, plan, whole, input);
    if (known === undefined || plan.known === undefined) continue;
    const show = { podcast: known, overwrite };
    report.keep(await findKeptParts(ctx, plan.known, whole, show), plan.draft.ref);
  }
}

interface PlannedShow {
  readonly input: ImportToPlan;
  /** Undefined: the show would be new. */
  readonly known: Podcast | undefined;
  readonly people: PlannedPeople;
}

/**
 * Reports the parts of the show that an import would leave as changed here. Fetches nothing, so a
 * source that now equals the value here counts as a conflict.
 */
async function planShow(
  ctx: Context,
  report: ReportDraft,
  podcast: Podcast,
  { channel, rules }: { readonly channel: ParsedPodcast; readonly rules: MergeRules },
): Promise<{ readonly podcast: ReportedPodcast; readonly roster: readonly ParsedPerson[] }> {
  const compared = compareWithChannel(podcast, channel, rules);
  report.keep(compared.kept);
  const about = { ctx, podcastId: podcast.id, showRules: rules, report };
  const roster = await withoutRemoved(about, mapPeople(channel.people));
  report.keep(await keptPicture(ctx, podcast.id, channel.imageUrl, podcast.artworkId, rules));
  return { podcast: reportPodcast(podcast, false, compared.differences), roster };
}

function planned(
  report: ReportDraft,
  plan: ItemPlan,
  matched: WholeItem,
  input: { readonly copyAudio: boolean },
): void {
  const { draft, known, differences, kept, audio } = plan;
  report.keep(kept, draft.ref);
  const { key } = draft.source;
  if (known === undefined) report.date(matched);
  const problem = findAudioProblem(matched.item, plan, input);
  if (problem !== undefined) report.fail(key, { ...draft.ref, ...problem });
  if (audio.copy !== undefined) report.audio(audio.copy.sizeBytes ?? 0);
  if (known !== undefined && differences.length === 0) {
    report.outcome(key, 'unchanged');
    return;
  }
  const outcome = known === undefined ? 'created' : 'updated';
  report.outcome(key, outcome);
  report.plan(draft.ref, outcome, known === undefined ? [] : differences);
}

/** The same for an episode of the show: images, chapters and transcripts that the feed links to. */
async function findKeptParts(
  ctx: Context,
  known: KnownItem,
  { item }: WholeItem,
  show: { readonly podcast: Podcast; readonly overwrite: boolean },
): Promise<KeptValue[]> {
  const { podcast, overwrite } = show;
  const rules = { imported: known.imported, overwrite };
  const kept = await keptPicture(ctx, podcast.id, item.imageUrl, known.artworkId, rules);
  const chapters = known.chapters ?? [];
  if (item.chapters !== undefined && isChangedHere(rules, 'chapters', describeChapters(chapters))) {
    const source = describeAddress(item.chapters.url);
    kept.push({ field: 'chapters', here: describeOwnChapters(chapters), source });
  }
  const { groups } = groupTranscripts(item.transcripts, podcast.language);
  const [first, ...further] = groups;
  if (first === undefined || overwrite) return kept;
  const published = await findPublishedLanguage(ctx, known.episodeId);
  if (known.hasTranscript && published === undefined) return kept;
  const keep = async (field: string, group: TranscriptGroup, language?: string) => {
    const here = await findPublishedTranscript(ctx, known.episodeId, language);
    if (!isPrintChangedHere(rules, field, await printTranscript(here))) return;
    const [{ url } = { url: '' }] = group.links;
    const source = describeSourceTranscript(group.language, url);
    kept.push({ field, here: describeOwnTranscript(here), source });
  };
  await keep('transcript', first);
  if (published === undefined) return kept;
  for (const group of further) {
    const { language } = group;
    if (language.toLowerCase() === published.toLowerCase()) continue;
    await keep(furtherField(language), group, language);
  }
  return kept;
}

async function keptPicture(
  ctx: Context,
  podcastId: string,
  url: string | undefined,
  here: string | null,
  rules: MergeRules,
): Promise<KeptValue[]> {
  if (url === undefined || !isChangedHere(rules, 'artwork', here)) return [];
  const source = await findImageBySource(ctx, podcastId, url);
  if (source === here) return [];
  const words = { here: await describePicture(ctx, here), source: describeAddress(url) };
  return [{ field: 'artwork', ...words }];
}
