import type { FileSource } from '../../../platform/processes/job.ts';
import { type ReadingContext, readForeignPart } from '../../foundation/read-foreign.ts';
import { type DrawingSize, decodingRules } from '../audio/index.ts';
import type { MatchedPart } from './alignment/align-audio.ts';

const module = new URL('./comparison-task.ts', import.meta.url);

export interface Comparison {
  /** Undefined: these are different recordings. */
  readonly parts: MatchedPart[] | undefined;
  /** The loudness of the new recording; undefined if it has no sound. */
  readonly peaks: Uint8Array<ArrayBuffer> | undefined;
}

/** Memory grows by some 3 kB for each second of both recordings. */
export const maxComparedMs = 24 * 3_600_000;

/** Compares two MP3 files in a child process. Throws as `readLoudness`. */
export async function alignFiles(
  ctx: ReadingContext,
  { old, fresh }: { readonly old: FileSource; readonly fresh: FileSource },
  input: DrawingSize,
  signal: AbortSignal,
): Promise<Comparison> {
  const job = { module, task: 'comparison', input, files: [old, fresh], signal, ...decodingRules };
  return await readForeignPart<Comparison>(ctx, job);
}
