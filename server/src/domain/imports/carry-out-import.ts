import type { Context } from '../context.ts';
import type { Podcast } from '../podcasts/index.ts';
import type { ParsedFeed } from './feed/parsed-feed.ts';
import type { Import } from './import.ts';
import { importAudio } from './import-audio.ts';
import { importImages } from './import-images.ts';
import { importItems } from './import-items.ts';
import { type ImportLimits, importLimits } from './import-limits.ts';
import type { ImportProgress, ImportReport } from './import-report.ts';
import type { ImportRun } from './import-run.ts';
import { importShow, reportPodcast } from './import-show.ts';
import { importTexts } from './import-texts.ts';
import type { HeldImport } from './lease.ts';
import { type ItemList, listItems } from './list-items.ts';
import { ReportDraft } from './report-draft.ts';
import { Transfers } from './transfers.ts';
import type { Delay } from './wait-for.ts';

/** How an import is done, whoever asks for it. */
export interface ImportOptions {
  /** Ends the work soon: the verb rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  readonly limits?: Partial<ImportLimits> | undefined;
  /** For tests: how pauses are waited for. */
  readonly delay?: Delay | undefined;
}

export interface ImportWork
  extends Pick<Import, 'id' | 'createdAt' | 'copyAudio' | 'createsPodcast' | 'warnings'> {
  readonly podcast: Podcast;
  readonly pages: readonly ParsedFeed[];
}

/**
 * Does an import from its beginning; what an earlier run has done is found done. First all that
 * makes the show readable, then what takes long.
 */
export async function carryOutImport(
  ctx: Context,
  work: ImportWork,
  held: HeldImport,
  options: ImportOptions,
): Promise<ImportReport> {
  const run = startRun(ctx, work, held, options);
  const { podcast, pages, createsPodcast } = work;
  for (const { reason, message } of work.warnings) run.report.warn({ reason, message });
  const list = listItems(pages);
  reportList(run.report, list);
  const channel = channelOf(pages);
  const show = await importShow(run, podcast, channel);
  const items = await importItems(run, list.items);
  await importImages(run, { imageUrl: channel.imageUrl, withoutPhoto: show.withoutPhoto }, items);
  await importTexts(run, items, podcast.language);
  await importAudio(run, items);
  run.signal.throwIfAborted();
  return run.report.finish({
    importId: work.id,
    podcast: reportPodcast(podcast, createsPodcast, show.differences),
  });
}

/** The first page speaks for the show. */
export function channelOf(pages: readonly ParsedFeed[]): ParsedFeed['podcast'] {
  const [first] = pages;
  if (first === undefined) throw new Error('a feed has a page');
  return first.podcast;
}

export function reportList(report: ReportDraft, { items, leftOut, flawed }: ItemList): void {
  for (const problem of leftOut) report.leaveOut(problem);
  for (const { reason, message, ...ref } of flawed) report.warn({ reason, message }, ref);
  if (items.length > 0) return;
  report.warn({ reason: 'no_items', message: 'The feed has no episodes.' });
}

export function limitsOf({ limits }: ImportOptions): ImportLimits {
  return { ...importLimits, ...limits };
}

function startRun(
  ctx: Context,
  work: ImportWork,
  held: HeldImport,
  options: ImportOptions,
): ImportRun {
  const limits = limitsOf(options);
  const { signal } = held;
  return {
    ctx,
    podcastId: work.podcast.id,
    startedAt: work.createdAt,
    copyAudio: work.copyAudio,
    limits,
    transfers: new Transfers(ctx, limits, signal, options.delay),
    report: new ReportDraft(limits.reportedEntries),
    signal,
    onProgress: (progress) => {
      held.note(progress);
      options.onProgress?.(progress);
    },
  };
}
