import { forEachConcurrently } from '../../../../lib/for-each-concurrently.ts';
import { discardPartial } from '../../../../platform/outbound-http/download-file.ts';
import { OutboundError } from '../../../../platform/outbound-http/outbound-http.ts';
import { transact } from '../../../foundation/context.ts';
import { attachAudioFile, takeFileChapters } from '../../../publishing/audio/index.ts';
import { getEpisode } from '../../../publishing/episodes/index.ts';
import { countPhase, explainFailure, type ImportRun } from '../import-run.ts';
import { mergeImported } from '../match/known-identities.sql.ts';
import { partialAudioPath } from '../partial-audio.ts';
import { hashValues } from '../plan/imported-values.ts';
import { describeChapters } from '../plan/plan-item.ts';
import { whenDue } from '../plan/plan-publication.ts';
import { publishOrSchedule } from './apply-item.ts';
import type { AudioList, AudioToCopy } from './audio-list.ts';
import { openAudioRoom } from './audio-room.ts';

/** Copies audio in this order, and publishes episodes that waited for it. */
export async function importAudio(run: ImportRun, wanted: AudioList): Promise<void> {
  const count = countPhase(run, 'audio', wanted.length);
  await forEachConcurrently(wanted.places(), run.limits.concurrentTransfers, async (place) => {
    const imported = await wanted.read(place);
    run.report.reopen(imported.key, imported.outcome);
    try {
      await copyAudio(run, imported);
    } catch (error) {
      const failure = await explainFailure(run, error);
      await discardPartial(pathOf(run, imported));
      run.report.fail(imported.key, { ...imported.ref, ...failure });
    }
    run.report.settle(imported.key);
    await count(imported.ref.title ?? undefined);
  });
}

/**
 * If the process is killed in between, the next run continues the partial file or finds the audio
 * stored.
 */
async function copyAudio(run: ImportRun, imported: AudioToCopy): Promise<void> {
  const { key, episodeId, url } = imported;
  const path = pathOf(run, imported);
  await transferAudio(run, url, path);
  run.signal.throwIfAborted();
  const facts = await attachAudioFile(run.ctx, episodeId, { path, sourceUrl: url });
  run.report.audio(facts.sizeBytes);
  run.report.outcome(key, 'updated');
  await letOut(run, imported);
  await takeChapters(run, imported);
}

function pathOf({ ctx, importId: id, documents }: ImportRun, { episodeId }: AudioToCopy): string {
  return partialAudioPath(ctx, { id, documents }, episodeId);
}

/** The feed may have chapters later. They replace those of the file, unless somebody changes them. */
async function takeChapters({ ctx }: ImportRun, { episodeId }: AudioToCopy): Promise<void> {
  const chapters = await takeFileChapters(ctx, episodeId);
  if (chapters.length === 0) return;
  const imported = hashValues({ chapters: describeChapters(chapters) });
  await mergeImported(ctx.db, 'episodes', episodeId, imported);
}

/** Stops at the storage that the account has left, also if the size was not known before. */
async function transferAudio(run: ImportRun, url: string, path: string): Promise<void> {
  const { limits, transfers } = run;
  using room = await openAudioRoom(run, path);
  const { maxBytes = limits.audioBytes, refusal } = room ?? {};
  try {
    await transfers.audio(url, path, maxBytes, (sizeBytes) => room?.grow(sizeBytes));
    room?.keep();
  } catch (error) {
    const isTooLarge = error instanceof OutboundError && error.reason === 'too_large';
    throw isTooLarge && refusal !== undefined && maxBytes < limits.audioBytes ? refusal : error;
  }
}

/** Changes made to the episode here in the meantime stay. */
async function letOut(
  { ctx }: ImportRun,
  { episodeId, publishedAt: wanted, date }: AudioToCopy,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const { status, intendedPublishedAt } = await getEpisode(tx, episodeId);
    if (status !== 'pending_confirmation') return;
    const due = wanted ?? intendedPublishedAt ?? date;
    await publishOrSchedule(tx, episodeId, whenDue(due, ctx.clock.now()));
    if (due !== undefined) return;
    const { publishedAt } = await getEpisode(tx, episodeId);
    await mergeImported(tx.db, 'episodes', episodeId, hashValues({ published_at: publishedAt }));
  });
}
