import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { transact } from '../context.ts';
import { getEpisode } from '../episodes/index.ts';
import { attachAudioFile, type ExternalAudio } from '../media/index.ts';
import { comeOut } from './apply-item.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import type { ImportedItem } from './import-items.ts';
import { countPhase, explainFailure, type ImportRun } from './import-run.ts';
import { whenDue } from './plan-publication.ts';

/** Copies audio, newest first, and lets episodes out that have been waiting for theirs. */
export async function importAudio(run: ImportRun, items: readonly ImportedItem[]): Promise<void> {
  const wanted = items.filter(({ audioToCopy }) => audioToCopy !== undefined).reverse();
  const count = countPhase(run, 'audio', wanted.length);
  await forEachConcurrently(wanted, run.limits.concurrentTransfers, async (imported) => {
    try {
      await copyAudio(run, imported);
    } catch (error) {
      const failure = await explainFailure(run, error);
      await discardFile(pathFor(run, imported.episodeId));
      run.report.fail(imported.key, { ...imported.ref, ...failure });
    }
    count(imported.ref.title ?? undefined);
  });
}

/** Killed in between, the next run goes on with the half file, or finds the audio in its place. */
async function copyAudio(
  run: ImportRun,
  { key, episodeId, audioToCopy, item, date }: ImportedItem,
): Promise<void> {
  const { url } = audioToCopy as ExternalAudio;
  const path = pathFor(run, episodeId);
  await run.transfers.audio(url, path);
  run.signal.throwIfAborted();
  const facts = await attachAudioFile(run.ctx, episodeId, { path, sourceUrl: url });
  run.report.audio(facts.sizeBytes);
  run.report.outcome(key, 'updated');
  await letOut(run, episodeId, item.publishedAt ?? date);
}

/** What its makers did with the episode meanwhile stays. */
async function letOut(
  { ctx }: ImportRun,
  episodeId: string,
  date: Date | undefined,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const { status } = await getEpisode(tx, episodeId);
    if (status !== 'pending_confirmation') return;
    await comeOut(tx, episodeId, whenDue(date, ctx.clock.now()));
  });
}

/** By the episode: a later import of the show goes on with it too. */
function pathFor({ ctx }: ImportRun, episodeId: string): string {
  return join(ctx.blobs.scratchDir, `audio-${episodeId}`);
}

/** With the note that `downloadFile` keeps beside it. */
async function discardFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(`${path}.json`, { force: true });
}
