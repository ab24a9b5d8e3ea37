import type { Context } from './context.ts';
import { selectTranscriptBytes } from './long-writes.sql.ts';
import { ownerOf } from './read-foreign.ts';
import { takeTurn } from './take-turn.ts';

/** A text that takes several statements to write, a quarter of a megabyte each. */
const longBytes = 500_000;

export interface LongWrite {
  /** Of the texts that are written or deleted. */
  readonly bytes: number;
  /** What of them is in memory already: if it is too much, whoever waits is refused. */
  readonly heldBytes?: number;
  /** Of work in the background, which is never refused: aborts when it ends. */
  readonly step?: AbortSignal;
}

/**
 * Waits for a turn if this is a long write. Users take turns, so that others come in between. Call it before the
 * transaction, because a connection that waits is missing elsewhere; inside one it does not wait. Throws 503 if too
 * much waits, and the reason of `step` or `ctx.abandoned`.
 */
export async function takeLongWrite(
  ctx: Context,
  { bytes, heldBytes = 0, step }: LongWrite,
): Promise<Disposable | undefined> {
  if (bytes <= longBytes || ctx.db.isTransaction) return undefined;
  const signal = step ?? ctx.abandoned;
  const claim = { owner: ownerOf(ctx), goesFirst: step !== undefined, heldBytes, signal };
  const refusal = 'Too many long texts are being saved. Try again in a moment.';
  return await takeTurn(ctx.longWrites, claim, refusal);
}

/** The same before the episode's transcripts in all languages are changed or deleted. None is in memory yet. */
export async function takeRewrite(
  ctx: Context,
  episodeId: string,
): Promise<Disposable | undefined> {
  if (ctx.db.isTransaction) return undefined;
  const bytes = await selectTranscriptBytes(ctx.db, episodeId);
  return await takeLongWrite(ctx, { bytes });
}
