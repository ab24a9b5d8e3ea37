import { transact } from '../../../foundation/context.ts';
import type { ExternalAudio } from '../../../publishing/audio/index.ts';
import { countPhase, explainFailure, type ImportRun } from '../import-run.ts';
import type { MatchedItem } from '../match/match-items.ts';
import { findAudioProblem, type ItemPlan, planItem } from '../plan/plan-item.ts';
import { type ReadItem, refOf } from '../read/item-texts.ts';
import type { ItemOutcome, ItemRef } from '../report/import-report.ts';
import { applyItem, SlugCounter } from './apply-item.ts';

/** An imported item and its episode, with parts still to be fetched. */
export interface ImportedItem {
  readonly key: string;
  readonly ref: ItemRef;
  readonly episodeId: string;
  readonly item: ReadItem;
  readonly known: ItemPlan['known'];
  readonly audioToCopy: ExternalAudio | undefined;
  /** The publication date for when its audio is stored, from the feed or neighboring items. */
  readonly date: Date | undefined;
}

/** Creates or updates the episode of each item, each in its own transaction. */
export async function importItems(
  run: ImportRun,
  items: readonly MatchedItem[],
): Promise<ImportedItem[]> {
  const count = countPhase(run, 'episodes', items.length);
  const slugs = new SlugCounter();
  const imported: ImportedItem[] = [];
  for (const feedItem of items) {
    run.signal.throwIfAborted();
    const ref = refOf(feedItem.item);
    if (feedItem.deletedId !== undefined && !run.overwrite) {
      run.report.keepDeleted(feedItem.key, ref);
      count(ref.title ?? undefined);
      continue;
    }
    try {
      imported.push(await importItem(run, feedItem, slugs));
    } catch (error) {
      run.report.fail(feedItem.key, { ...ref, ...(await explainFailure(run, error)) });
    }
    await count(ref.title ?? undefined);
  }
  await run.people.keep(run.ctx, run.podcastId);
  return imported;
}

async function importItem(
  run: ImportRun,
  feedItem: MatchedItem,
  slugs: SlugCounter,
): Promise<ImportedItem> {
  const { plan, episodeId } = await transact(run.ctx, async (tx) => {
    const plan = await planItem(tx, feedItem, run);
    const { deletedId } = feedItem;
    return {
      plan,
      episodeId: await applyItem(tx, run.podcastId, plan, {
        slugs,
        people: run.people,
        deletedId,
      }),
    };
  });
  run.report.keep(plan.kept, plan.draft.ref);
  const outcome = outcomeOf(run, plan);
  run.report.outcome(feedItem.key, outcome);
  if (outcome === 'created') run.report.date(feedItem);
  const problem = findAudioProblem(feedItem.item, plan, run);
  if (problem !== undefined) run.report.fail(feedItem.key, { ...plan.draft.ref, ...problem });
  return {
    key: feedItem.key,
    ref: plan.draft.ref,
    episodeId,
    item: feedItem.item,
    known: plan.known,
    audioToCopy: plan.audio.copy,
    date: feedItem.date,
  };
}

function outcomeOf({ startedAt }: ImportRun, { known, differences }: ItemPlan): ItemOutcome {
  if (known === undefined || known.createdAt > startedAt) return 'created';
  return differences.length === 0 ? 'unchanged' : 'updated';
}
