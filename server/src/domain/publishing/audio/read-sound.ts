import type { FileSource, JobLimits, ProcessError } from '../../../platform/processes/job.ts';
import { type ReadingContext, readForeignPart } from '../../foundation/read-foreign.ts';

const module = new URL('./sound-tasks.ts', import.meta.url);
/** Enough for forty hours of audio on a small machine. */
export const longestDecodingMs = 5 * 60_000;

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
  const job = { module, task: 'loudness', input, files: [mp3], signal, ...decodingRules };
  return await readForeignPart(ctx, job);
}

const limits: JobLimits = {
  memoryMb: 512,
  cpuMs: longestDecodingMs,
  wallMs: longestDecodingMs,
  resultBytes: 4 * 1024 * 1024,
};

/** Of every task that decodes audio. */
export const decodingRules = {
  limits,
  isLong: true,
  refuse: (cause: ProcessError) => new UndecodableError(cause),
};
