import { BlobStoreAwayError } from '../../../platform/blob-store/blob-store.ts';
import type { Context } from '../../foundation/context.ts';
import { findAudio, longestDecodingMs, pointsFor, UndecodableError } from '../audio/index.ts';
import { alignFiles, type Comparison } from './compare-recordings.ts';
import {
  claimReplacement,
  hastenReplacements,
  postponeReplacement,
  selectReplacement,
  settleReplacement,
} from './replacements.sql.ts';

/** After this another worker takes over. It is longer than a comparison may last. */
const leaseMs = 2 * longestDecodingMs + 60_000;
const maxAttempts = 3;
const retryMs = 30_000;

/**
 * Compares the proposals that are due, one after the other, until none is due or `signal` aborts.
 * Any number of workers may run it. Failures are logged and tried again, three times in all. Throws while
 * the file store is away, which does not count as a failure.
 */
export async function alignReplacements(ctx: Context, signal: AbortSignal): Promise<void> {
  const beganAt = ctx.clock.now();
  // Nothing is due so late, unless the clock was set back.
  await hastenReplacements(ctx.db, beganAt, new Date(beganAt.getTime() + 2 * leaseMs));
  while (!signal.aborted) {
    const now = ctx.clock.now();
    const claimed = await claimReplacement(ctx.db, now, new Date(now.getTime() + leaseMs));
    if (claimed === undefined) return;
    const { episodeId, id, attempts } = claimed;
    try {
      if (attempts > maxAttempts) await settleReplacement(ctx.db, id, { state: 'incomparable' });
      else await align(ctx, episodeId, id, signal);
    } catch (error) {
      const isAway = error instanceof BlobStoreAwayError;
      const again = ctx.clock.now().getTime() + (signal.aborted ? 0 : retryMs);
      await postponeReplacement(ctx.db, id, { dueAt: new Date(again), isUntried: isAway });
      if (isAway) throw error;
      if (!signal.aborted) ctx.log.warn({ err: error, episodeId }, 'audio could not be compared');
    }
  }
}

async function align(
  ctx: Context,
  episodeId: string,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const fresh = await selectReplacement(ctx.db, episodeId, ctx.clock.now());
  // A newer proposal has replaced it, or it has expired.
  if (fresh?.id !== id) return;
  const old = await findAudio(ctx, episodeId);
  if (old?.blobKey == null || old.sha256 !== fresh.replacesSha256) {
    return await settleReplacement(ctx.db, id, { state: 'different' });
  }
  const compared = await tryAlign(
    ctx,
    {
      old: () => ctx.blobs.read(old.blobKey as string, soundOf(old)),
      fresh: () => ctx.blobs.read(fresh.blobKey, soundOf(fresh)),
    },
    { durationSeconds: fresh.durationMs / 1000, parts: pointsFor(fresh.durationMs) },
    signal,
  );
  if (compared === undefined) return await settleReplacement(ctx.db, id, { state: 'incomparable' });
  const { parts, peaks } = compared;
  const state = parts === undefined ? 'different' : 'aligned';
  await settleReplacement(ctx.db, id, { state, parts, peaks });
}

/** Undefined if it cannot be done: another try would take as long. */
async function tryAlign(...call: Parameters<typeof alignFiles>): Promise<Comparison | undefined> {
  try {
    return await alignFiles(...call);
  } catch (error) {
    if (error instanceof UndecodableError) return undefined;
    throw error;
  }
}

function soundOf(file: { readonly leadingTagBytes: number; readonly sizeBytes: number | null }) {
  return { start: file.leadingTagBytes, end: (file.sizeBytes ?? 0) - 1 };
}
