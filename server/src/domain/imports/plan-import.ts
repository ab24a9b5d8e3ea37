import type { User } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { channelOf, reportList } from './carry-out-import.ts';
import { choosePodcast, type FeedIdentity } from './choose-podcast.ts';
import type { ImportLimits } from './import-limits.ts';
import type { ImportProgress, ImportReport, ReportedPodcast } from './import-report.ts';
import { compareShow, reportNewPodcast, reportPodcast } from './import-show.ts';
import { listItems } from './list-items.ts';
import { type ItemPlan, planItem } from './plan-item.ts';
import { ReportDraft } from './report-draft.ts';
import type { TakenFeed } from './take-feed.ts';

export interface ImportToPlan {
  readonly owner: User;
  readonly feed: TakenFeed;
  readonly identity: FeedIdentity;
  readonly slug?: string | undefined;
  readonly copyAudio: boolean;
  readonly limits: ImportLimits;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** A dry run: what an import of this feed would do now. Reads, and writes nothing. */
export async function planImport(ctx: Context, input: ImportToPlan): Promise<ImportReport> {
  const { feed, owner, identity, signal, onProgress } = input;
  const report = new ReportDraft(input.limits.reportedEntries);
  for (const { reason, message } of feed.warnings) report.warn({ reason, message });
  const channel = channelOf(feed.pages);
  const choice = await choosePodcast(ctx, owner, identity, input.slug);
  const list = listItems(feed.pages);
  reportList(report, list);
  let podcast: ReportedPodcast;
  if (choice.kind === 'new') podcast = reportNewPodcast(ctx, channel, choice);
  else {
    podcast = reportPodcast(
      choice.podcast,
      false,
      compareShow(choice.podcast, channel).differences,
    );
  }
  for (const [done, feedItem] of list.items.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ phase: 'episodes', done, total: list.items.length });
    planned(report, await planItem(ctx, podcast.id ?? undefined, feedItem, input));
  }
  return report.finish({ importId: null, podcast });
}

function planned(report: ReportDraft, { draft, known, differences, audio }: ItemPlan): void {
  const { key } = draft.source;
  if (audio.copy !== undefined) report.audio(audio.copy.sizeBytes ?? 0);
  if (known !== undefined && differences.length === 0) {
    report.outcome(key, 'unchanged');
    return;
  }
  const outcome = known === undefined ? 'created' : 'updated';
  report.outcome(key, outcome);
  report.plan(draft.ref, outcome, known === undefined ? [] : differences);
}
