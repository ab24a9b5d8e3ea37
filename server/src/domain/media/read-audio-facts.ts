import type { ProcessError } from '../../platform/processes/process-error.ts';
import { type ReadingContext, readForeignPart, sourceOf } from '../read-foreign.ts';
import { AudioError, type AudioFacts } from './audio-facts.ts';
import type { RawFileChapter } from './file-chapters/file-chapter.ts';

const module = new URL('./audio-task.ts', import.meta.url);
const resultBytes = 4 * 1024 * 1024;
/** Two gigabytes from a slow disk. */
const fileLimits = { memoryMb: 512, cpuMs: 120_000, wallMs: 600_000, resultBytes };
const tagLimits = { memoryMb: 512, cpuMs: 5_000, wallMs: 60_000, resultBytes };

/** `readAudioFile`, in a child process. Throws AudioError. */
export function readAudioFacts(ctx: ReadingContext, path: string): Promise<AudioFacts> {
  const job = { module, task: 'facts', input: path, limits: fileLimits };
  return readForeignPart<AudioFacts>(ctx, { ...job, refusals: [AudioError], refuse });
}

/** `parseId3Chapters`, in a child process. Throws AudioError. */
export function readId3Chapters(ctx: ReadingContext, tag: Buffer): Promise<RawFileChapter[]> {
  const job = { module, task: 'id3Chapters', files: [sourceOf(tag)], limits: tagLimits };
  return readForeignPart<RawFileChapter[]>(ctx, { ...job, refuse });
}

function refuse(cause: ProcessError): AudioError {
  return new AudioError('damaged', 'The file takes too much memory or time to read.', { cause });
}
