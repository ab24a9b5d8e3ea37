import { transact } from '../context.ts';
import type { ExternalAudio } from '../media/index.ts';
import { applyItem, SlugCounter } from './apply-item.ts';
import type { ParsedItem } from './feed/parsed-feed.ts';
import type { ItemOutcome, ItemRef } from './import-report.ts';
import { countPhase, explainFailure, type ImportRun } from './import-run.ts';
import { refOf } from './item-draft.ts';
import type { FeedItem } from './list-items.ts';
import { type ItemPlan, planItem } from './plan-item.ts';

/** An item that is an episode now, and what is still to be fetched for it. */
export interface ImportedItem {
  readonly key: string;
  readonly ref: ItemRef;
  readonly episodeId: string;
  readonly item: ParsedItem;
  readonly known: ItemPlan['known'];
  readonly audioToCopy: ExternalAudio | undefined;
  /** When its audio is in place: what its feed, or its neighbours there, say. */
  readonly date: Date | undefined;
}

/** Makes an episode of each item or brings it up to date, each in a transaction of its own. */
export async function importItems(
  run: ImportRun,
  items: readonly FeedItem[],
): Promise<ImportedItem[]> {
  const count = countPhase(run, 'episodes', items.length);
  const slugs = new SlugCounter();
  const imported: ImportedItem[] = [];
  for (const feedItem of items) {
    run.signal.throwIfAborted();
    const ref = refOf(feedItem.item);
    try {
      imported.push(await importItem(run, feedItem, slugs));
    } catch (error) {
      run.report.fail(feedItem.key, { ...ref, ...(await explainFailure(run, error)) });
    }
    count(ref.title ?? undefined);
  }
  return imported;
}

async function importItem(
  run: ImportRun,
  feedItem: FeedItem,
  slugs: SlugCounter,
): Promise<ImportedItem> {
  const { plan, episodeId } = await transact(run.ctx, async (tx) => {
    const plan = await planItem(tx, run.podcastId, feedItem, run);
    return { plan, episodeId: await applyItem(tx, run.podcastId, plan, slugs) };
  });
  run.report.outcome(feedItem.key, outcomeOf(run, plan));
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
