import type { Context } from '../../foundation/context.ts';
import { getPodcast } from '../../publishing/podcasts/index.ts';
import type { Import, ImportHolder } from './import.ts';
import type { ImportPhase, ImportReport } from './import-report.ts';
import { reportPodcast } from './import-show.ts';
import { countEpisodesSince, endImport } from './imports.sql.ts';
import { refuseImport } from './refuse-import.ts';
import { ReportDraft } from './report-draft.ts';
import { discardDocuments } from './stored-documents.ts';

const places: Readonly<Record<ImportPhase, string>> = {
  queued: 'waiting for its turn',
  waiting: 'waiting for another import',
  feed: 'reading the feed',
  episodes: 'creating the episodes',
  images: 'fetching the images',
  texts: 'fetching transcripts and chapters',
  audio: 'copying the audio',
};

/**
 * Ends an import during which two processes died at the same point, with a report that names it.
 * Everything imported so far stays. Throws the refusal `gave_up`.
 */
export async function endCrashingImport(
  ctx: Context,
  found: Import,
  holder: ImportHolder,
): Promise<never> {
  const { id, progress, documents } = found;
  const { phase, done, total } = progress;
  const count = total === undefined ? '' : `, ${done} of ${total} done`;
  const message = `Two processes ended at the same point of the import: ${places[phase]}${count}. The import was stopped; everything imported so far stays.`;
  const report = await reportDeath(ctx, found, message);
  const end = {
    state: 'failed',
    error: message,
    errorReason: 'gave_up',
    ...(report === undefined ? {} : { report }),
  } as const;
  await endImport(ctx.db, id, holder, end, ctx.clock.now());
  await discardDocuments(ctx, documents);
  ctx.log.error({ importId: id, phase, done, total }, 'two processes died during an import');
  throw refuseImport('gave_up', message);
}

async function reportDeath(
  ctx: Context,
  { id, podcastId, createsPodcast, createdAt, progress, warnings }: Import,
  message: string,
): Promise<ImportReport | undefined> {
  if (podcastId === null) return undefined;
  const report = new ReportDraft(1);
  report.leaveOut({ guid: null, title: progress.title ?? null, reason: 'process_ended', message });
  const podcast = reportPodcast(await getPodcast(ctx, podcastId), createsPodcast, []);
  const created = await countEpisodesSince(ctx.db, podcastId, createdAt);
  return { ...report.finish({ importId: id, podcast }), created, warnings };
}
