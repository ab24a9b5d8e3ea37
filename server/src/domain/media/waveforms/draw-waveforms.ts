import { type Context, transact } from '../../context.ts';
import { announceChange } from '../../outbox/index.ts';
import { readLoudness } from './read-loudness.ts';
import { pointsFor, type Waveform } from './waveform.ts';
import {
  claimOrder,
  type DrawableAudio,
  deleteClaimedOrder,
  deleteUnusedWaveforms,
  releaseOrder,
  selectDrawableAudio,
  selectEpisodesWithAudio,
  settleOrder,
} from './waveforms.sql.ts';

/** Some forty hours of audio, by what an hour takes on a small machine. */
const longestMs = 5 * 60_000;
/** An order whose process ended is taken up after this; one that is at it has ended by then. */
const leaseMs = longestMs + 60_000;
const dayMs = 24 * 3_600_000;

/**
 * Draws the waveforms that are due, one after the other, beside any number of other workers, until
 * none is due or `signal` aborts. Whatever goes wrong with one is logged, and tried again later,
 * thrice at most.
 */
export async function drawWaveforms(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = ctx.clock.now();
    const sha256 = await claimOrder(ctx.db, now, new Date(now.getTime() + leaseMs));
    if (sha256 === undefined) return;
    try {
      await draw(ctx, sha256, signal);
    } catch (error) {
      if (signal.aborted) await releaseOrder(ctx.db, sha256, ctx.clock.now());
      else ctx.log.warn({ err: error, sha256 }, 'a waveform could not be drawn');
    }
  }
}

async function draw(ctx: Context, sha256: string, signal: AbortSignal): Promise<void> {
  const audio = await selectDrawableAudio(ctx.db, sha256);
  // Nothing is known of it: it is ordered anew when an episode has it again.
  if (audio === undefined) return await deleteClaimedOrder(ctx.db, sha256);
  const waveform = await readWaveform(ctx, audio, signal);
  await transact(ctx, async (tx) => {
    await settleOrder(tx.db, sha256, waveform);
    if (waveform === undefined) return;
    for (const episode of await selectEpisodesWithAudio(tx.db, sha256)) {
      await announceChange(tx, { kind: 'episode.changed', ...episode });
    }
  });
}

/** Undefined when there is not one frame in it that can be decoded. */
async function readWaveform(
  ctx: Context,
  { blobKey, sizeBytes, durationMs, leadingTagBytes }: DrawableAudio,
  signal: AbortSignal,
): Promise<Waveform | undefined> {
  const span = { start: leadingTagBytes, end: sizeBytes - 1 };
  const peaks = await readLoudness(
    await ctx.blobs.read(blobKey, span),
    { durationSeconds: durationMs / 1000, parts: pointsFor(durationMs) },
    AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
  );
  return peaks && { peaks, durationMs };
}

/** Removes those of audio that nobody has had for a day. */
export async function purgeWaveforms(ctx: Context): Promise<void> {
  await deleteUnusedWaveforms(ctx.db, new Date(ctx.clock.now().getTime() - dayMs));
}
