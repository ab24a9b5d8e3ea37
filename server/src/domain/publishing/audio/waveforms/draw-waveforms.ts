import { BlobStoreAwayError } from '../../../../platform/blob-store/blob-store.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { announceChange } from '../../../foundation/outbox/index.ts';
import { longestDecodingMs, readLoudness, UndecodableError } from '../read-sound.ts';
import { pointsFor, type Waveform } from './waveform.ts';
import {
  claimTask,
  type DrawableAudio,
  deleteClaimedTask,
  deleteUnusedWaveforms,
  hastenTasks,
  releaseTask,
  selectDrawableAudio,
  selectEpisodesWithAudio,
  settleTask,
} from './waveforms.sql.ts';

/** After this another worker takes over. It is longer than drawing may last. */
const leaseMs = longestDecodingMs + 60_000;
/** How long after an outage of the file store a waveform is tried again, after the others. */
const awayMs = 60_000;
const dayMs = 24 * 3_600_000;

/**
 * Draws the waveforms that are due, one after the other, until none is due or `signal` aborts. Any
 * number of workers may run it. Failures are logged and tried again later, three times in all. Throws
 * while the file store is away, which does not count as a failure.
 */
export async function drawWaveforms(ctx: Context, signal: AbortSignal): Promise<void> {
  const beganAt = ctx.clock.now();
  // Nothing is due so late, unless the clock was set back.
  await hastenTasks(ctx.db, beganAt, new Date(beganAt.getTime() + 2 * leaseMs));
  while (!signal.aborted) {
    const now = ctx.clock.now();
    const sha256 = await claimTask(ctx.db, now, new Date(now.getTime() + leaseMs));
    if (sha256 === undefined) return;
    try {
      await draw(ctx, sha256, signal);
    } catch (error) {
      const nowMs = ctx.clock.now().getTime();
      if (error instanceof BlobStoreAwayError) {
        await releaseTask(ctx.db, sha256, new Date(nowMs + awayMs));
        throw error;
      }
      if (signal.aborted) await releaseTask(ctx.db, sha256, new Date(nowMs));
      else ctx.log.warn({ err: error, sha256 }, 'a waveform could not be drawn');
    }
  }
}

async function draw(ctx: Context, sha256: string, signal: AbortSignal): Promise<void> {
  const audio = await selectDrawableAudio(ctx.db, sha256);
  // No episode has this audio. If one gets it again, it is ordered again.
  if (audio === undefined) return await deleteClaimedTask(ctx.db, sha256);
  const waveform = await readWaveform(ctx, audio, signal);
  await transact(ctx, async (tx) => {
    await settleTask(tx.db, sha256, waveform);
    if (waveform === undefined) return;
    for (const episode of await selectEpisodesWithAudio(tx.db, sha256)) {
      await announceChange(tx, { kind: 'episode.changed', ...episode });
    }
  });
}

/** Undefined if the audio cannot be decoded. */
async function readWaveform(
  ctx: Context,
  { blobKey, sizeBytes, durationMs, leadingTagBytes }: DrawableAudio,
  signal: AbortSignal,
): Promise<Waveform | undefined> {
  const span = { start: leadingTagBytes, end: sizeBytes - 1 };
  const size = { durationSeconds: durationMs / 1000, parts: pointsFor(durationMs) };
  try {
    const peaks = await readLoudness(ctx, () => ctx.blobs.read(blobKey, span), size, signal);
    return peaks && { peaks, durationMs };
  } catch (error) {
    // Another try would take as long.
    if (error instanceof UndecodableError) return undefined;
    throw error;
  }
}

/** Deletes waveforms of audio that no episode has had for a day. */
export async function purgeWaveforms(ctx: Context): Promise<void> {
  await deleteUnusedWaveforms(ctx.db, new Date(ctx.clock.now().getTime() - dayMs));
}
