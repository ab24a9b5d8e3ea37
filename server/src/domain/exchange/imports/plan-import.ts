import { createYielder } from '../../../lib/time-slices.ts';
import type { User } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import type { Podcast } from '../../publishing/podcasts/index.ts';
import { channelOf, matchPages } from './carry-out-import.ts';
import { choosePodcast } from './choose-podcast.ts';
import type { FetchedFeed } from './fetch-feed.ts';
import { findAudioProblem } from './find-audio-problem.ts';
import type { PodcastWish } from './import.ts';
import type { ImportLimits } from './import-limits.ts';
import type { ImportProgress, ImportReport, ReportedPodcast } from './import-report.ts';
import { compareWithChannel, reportNewPodcast, reportPodcast } from './import-show.ts';
import { refOf } from './item-texts.ts';
import { selectImportedOf } from './known-identities.sql.ts';
import type { MatchedItem } from './match-items.ts';
import { type ItemPlan, planItem } from './plan-item.ts';
import { findKeptParts, reportKeptShow } from './plan-parts.ts';
import { warnOfKnownShow } from './recognize-show.ts';
import { ReportDraft } from './report-draft.ts';
import { reportFeed, reportList } from './report-feed.ts';
import { Transfers } from './transfers.ts';

export interface ImportToPlan {
  readonly owner: User;
  readonly feed: FetchedFeed;
  readonly wish: PodcastWish;
  readonly copyAudio: boolean;
  readonly overwrite: boolean;
  readonly limits: ImportLimits;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** A dry run: what an import of this feed would do now. Writes nothing. */
export async function planImport(ctx: Context, input: ImportToPlan): Promise<ImportReport> {
  const { feed, owner, signal, onProgress } = input;
  const report = new ReportDraft(input.limits.reportedEntries);
  for (const { reason, message } of feed.warnings) report.warn({ reason, message });
  const channel = channelOf(feed.pages);
  const choice = await choosePodcast(ctx, owner, feed, input.wish);
  const known = choice.kind === 'new' ? undefined : choice.podcast;
  const { copyAudio, limits } = input;
  const transfers = new Transfers(ctx, limits, signal ?? new AbortController().signal);
  const list = await matchPages({ ctx, copyAudio, transfers }, known?.id, feed.pages);
  await reportFeed(report, feed.pages, { isNew: choice.kind === 'new' });
  reportList(report, list);
  if (choice.kind === 'new') {
    await warnOfKnownShow(ctx, report, list.items, { id: owner.accountId });
  }
  const podcast =
    choice.kind === 'new'
      ? reportNewPodcast(ctx, channel, choice)
      : await planShow(ctx, report, choice.podcast, input);
  const maybeYield = createYielder();
  for (const [done, matched] of list.items.entries()) {
    await maybeYield();
    signal?.throwIfAborted();
    onProgress?.({ phase: 'episodes', done, total: list.items.length });
    if (matched.deletedId !== undefined && !input.overwrite) {
      report.keepDeleted(matched.key, refOf(matched.item));
    } else {
      const plan = await planItem(ctx, matched, input);
      planned(report, plan, matched, input);
      if (known === undefined || plan.known === undefined) continue;
      const show = { podcast: known, overwrite: input.overwrite };
      report.keep(await findKeptParts(ctx, plan.known, matched, show), plan.draft.ref);
    }
  }
  return report.finish({ importId: null, podcast });
}

async function planShow(
  ctx: Context,
  report: ReportDraft,
  podcast: Podcast,
  { feed, overwrite }: ImportToPlan,
): Promise<ReportedPodcast> {
  const imported = await selectImportedOf(ctx.db, podcast.id);
  const channel = channelOf(feed.pages);
  const rules = { imported, overwrite };
  const compared = compareWithChannel(podcast, channel, rules);
  report.keep(compared.kept);
  await reportKeptShow(ctx, report, podcast, { channel, rules });
  return reportPodcast(podcast, false, compared.differences);
}

function planned(
  report: ReportDraft,
  plan: ItemPlan,
  matched: MatchedItem,
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
