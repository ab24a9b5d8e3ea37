import { forEachConcurrently } from '../../../../lib/for-each-concurrently.ts';
import { type Chapter, findChapters, setChapters } from '../../../publishing/transcripts/index.ts';
import { countPhase, explainFailure, type ImportRun } from '../import-run.ts';
import {
  describeAddress,
  describeInlineChapters,
  describeOwnChapters,
} from '../plan/describe-parts.ts';
import { printOf } from '../plan/imported-values.ts';
import { draftInlineChapters } from '../plan/item-draft.ts';
import { describeChapters } from '../plan/plan-item.ts';
import type { ImportedItem, WholeImportedItem } from './import-items.ts';
import { importTranscripts, warnOfLeftOut } from './import-transcripts.ts';
import { mergePart } from './merge-part.ts';

/**
 * Fetches transcripts and chapters on every import: they are small, and often corrected after
 * publication. A failure is a warning.
 */
export async function importTexts(
  run: ImportRun,
  items: readonly ImportedItem[],
  showLanguage: string,
): Promise<void> {
  const withTexts = items.filter(({ item }) => item.hasTexts);
  const count = countPhase(run, 'texts', withTexts.length);
  await forEachConcurrently(withTexts, run.limits.concurrentTransfers, async (imported) => {
    const whole = { ...imported, item: await run.feed.item(imported.item) };
    await importTranscripts(run, whole, showLanguage);
    await importChapters(run, whole);
    await count(imported.ref.title ?? undefined);
  });
}

async function importChapters(run: ImportRun, imported: WholeImportedItem): Promise<void> {
  const { chapters: link } = imported.item;
  if (link === undefined) return;
  try {
    const bytes = await run.transfers.bytes(link.url, run.limits.chaptersBytes);
    const { chapters, leftOut } = await run.texts.chapters(bytes);
    warnOfLeftOut(run, imported, 'Its chapters are not complete', leftOut);
    await keepChapters(run, imported, chapters, describeAddress(link.url));
  } catch (error) {
    const { reason, message } = await explainFailure(run, error);
    const words = `Its chapters could not be imported: ${message}`;
    run.report.warn({ reason, message: words }, imported.ref);
    const inline = draftInlineChapters(imported.item);
    const isBetter = (await findChapters(run.ctx, imported.episodeId)) === undefined;
    if (inline !== undefined && isBetter) {
      await keepChapters(run, imported, inline, describeInlineChapters(inline));
    }
  }
}

async function keepChapters(
  run: ImportRun,
  imported: WholeImportedItem,
  chapters: readonly Chapter[],
  source: string,
): Promise<void> {
  const { ctx } = run;
  const here = (await findChapters(ctx, imported.episodeId)) ?? [];
  const part = {
    field: 'chapters',
    here: printOf(describeChapters(here)),
    source: printOf(describeChapters(chapters)),
    words: () => ({ here: describeOwnChapters(here), source }),
  };
  await mergePart(run, imported, part, (tx) => setChapters(tx, imported.episodeId, chapters));
}
