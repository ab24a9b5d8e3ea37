import { createYielder } from '../../../../lib/time-slices.ts';
import { transact } from '../../../foundation/context.ts';
import type { ExternalAudio } from '../../../publishing/audio/index.ts';
import { countPhase, explainFailure, type ImportRun } from '../import-run.ts';
import type { KnownItem } from '../match/known-identities.sql.ts';
import type { MatchedItem } from '../match/match-items.ts';
import { findAudioProblem, type ItemPlan, planItem } from '../plan/plan-item.ts';
import type { ParsedPerson } from '../read/feed/parsed-feed.ts';
import { type ReadItem, refOf } from '../read/item-texts.ts';
import type { ItemHead } from '../read/packed-items.ts';
import type { ItemOutcome, ItemRef } from '../report/import-report.ts';
import { applyItem, SlugCounter } from './apply-item.ts';

/** An imported item and its episode, with parts still to be fetched. */
export interface ImportedItem {
  readonly key: string;
  readonly ref: ItemRef;
  readonly episodeId: string;
  readonly item: ItemHead;
  readonly known: KnownParts | undefined;
  readonly audioToCopy: ExternalAudio | undefined;
  /** The publication date for when its audio is stored, from the feed or neighboring items. */
  readonly date: Date | undefined;
}

/** The same with all that the feed says of the item. */
export interface WholeImportedItem extends Omit<ImportedItem, 'item'> {
  readonly item: ReadItem;
}

/** What the parts that are still to be fetched are compared with. */
interface KnownParts extends Pick<KnownItem, 'artworkId' | 'hasTranscript' | 'imported'> {
  /** In lower case, those of the item's people who have a photo. */
  readonly withPhoto: readonly string[];
}

/** Creates or updates the episode of each item, each in its own transaction. */
export async function importItems(
  run: ImportRun,
  items: readonly MatchedItem[],
): Promise<ImportedItem[]> {
  const count = countPhase(run, 'episodes', items.length);
  const slugs = new SlugCounter();
  const imported: ImportedItem[] = [];
  const maybeYield = createYielder();
  for (const feedItem of items) {
    run.signal.throwIfAborted();
    const ref = refOf(feedItem.item);
    if (feedItem.deletedId !== undefined && !run.overwrite) {
      run.report.keepDeleted(feedItem.key, ref);
      await count(ref.title ?? undefined, { isSkipped: true });
      await maybeYield();
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
  const whole = { ...feedItem, item: await run.feed.item(feedItem.item) };
  const { plan, episodeId } = await transact(run.ctx, async (tx) => {
    const plan = await planItem(tx, whole, run);
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
  const problem = findAudioProblem(whole.item, plan, run);
  if (problem !== undefined) run.report.fail(feedItem.key, { ...plan.draft.ref, ...problem });
  return {
    key: feedItem.key,
    ref: plan.draft.ref,
    episodeId,
    item: feedItem.item,
    known: plan.known && partsOf(plan.known, whole.item.people),
    audioToCopy: plan.audio.copy,
    date: feedItem.date,
  };
}

/** The rest of the episode, such as its show notes, does not stay in memory. */
function partsOf(known: KnownItem, people: readonly ParsedPerson[]): KnownParts {
  const { artworkId, hasTranscript, credits } = known;
  const imported = Object.entries(known.imported ?? {}).filter(([field]) => isPart(field));
  const photos = new Set(
    credits.filter(({ hasPhoto }) => hasPhoto).map(({ name }) => name.toLowerCase()),
  );
  const named = people.filter(({ img }) => img !== undefined);
  const withPhoto = named.map(({ name }) => name.toLowerCase()).filter((name) => photos.has(name));
  return { artworkId, hasTranscript, imported: Object.fromEntries(imported), withPhoto };
}

const isPart = (field: string): boolean => /^(?:artwork|chapters|transcript(?:\..+)?)$/.test(field);

function outcomeOf({ startedAt }: ImportRun, { known, differences }: ItemPlan): ItemOutcome {
  if (known === undefined || known.createdAt > startedAt) return 'created';
  return differences.length === 0 ? 'unchanged' : 'updated';
}
