import { type AudioSource, streamToThread } from '../stream-to-thread.ts';
import type { MatchedPart } from './align-audio.ts';

/** The thread's input: how to draw the new recording. */
export interface ThreadData {
  readonly durationSeconds: number;
  readonly parts: number;
}

export interface Comparison {
  /** Undefined: these are different recordings. */
  readonly parts: MatchedPart[] | undefined;
  /** The loudness of the new recording; undefined if it has no sound. */
  readonly peaks: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Compares two MP3 files in a thread of its own; its memory grows by some 3 kB for each second of
 * both. Rejects when a file cannot be read or decoded, or `signal` aborts.
 */
export async function alignFiles(
  { old, fresh }: { readonly old: AudioSource; readonly fresh: AudioSource },
  workerData: ThreadData,
  signal: AbortSignal,
): Promise<Comparison> {
  const script = new URL('./alignment-thread.ts', import.meta.url);
  return (await streamToThread({ script, workerData }, [old, fresh], signal)) as Comparison;
}
