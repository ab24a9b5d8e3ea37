import type { FileSource, JobLimits } from '../../platform/processes/job.ts';
import type { ProcessError } from '../../platform/processes/process-error.ts';
import { type ReadingContext, readForeignPart } from '../read-foreign.ts';
import type { MatchedPart } from './alignment/align-audio.ts';

const module = new URL('./sound-tasks.ts', import.meta.url);
/** Enough for forty hours of audio on a small machine. */
export const longestDecodingMs = 5 * 60_000;
const limits: JobLimits = {
  memoryMb: 512,
  cpuMs: longestDecodingMs,
  wallMs: longestDecodingMs,
  resultBytes: 4 * 1024 * 1024,
};

/** Decoding the audio takes too much memory or time, or fails: it would again. */
export class UndecodableError extends Error {
  constructor(cause: ProcessError) {
    super('the audio cannot be decoded', { cause });
    this.name = 'UndecodableError';
  }
}

/** How a recording is drawn. */
export interface DrawingSize {
  readonly durationSeconds: number;
  readonly parts: number;
}

/**
 * The loudness of an MP3 in that many equal parts of its duration. It is decoded in a child process,
 * in memory that does not depend on its length. Undefined if it has no sound. Throws
 * UndecodableError, the signal's reason, and errors of reading.
 */
export async function readLoudness(
  ctx: ReadingContext,
  mp3: FileSource,
  input: DrawingSize,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const job = { module, task: 'loudness', input, files: [mp3], limits, signal, ...rules };
  return await readForeignPart(ctx, job);
}

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
  const job = { module, task: 'comparison', input, files: [old, fresh], limits, signal, ...rules };
  return await readForeignPart<Comparison>(ctx, job);
}

const rules = { isLong: true, refuse: (cause: ProcessError) => new UndecodableError(cause) };
