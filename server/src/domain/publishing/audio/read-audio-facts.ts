import type { ProcessError } from '../../../platform/processes/job.ts';
import { type ReadingContext, readForeignPart } from '../../foundation/read-foreign.ts';
import { AudioError, type AudioFacts } from './audio-facts.ts';

const module = new URL('./audio-task.ts', import.meta.url);
/** Two gigabytes from a slow disk. */
const limits = {
  memoryMb: 512,
  cpuMs: 120_000,
  wallMs: 600_000,
  resultBytes: 4 * 1024 * 1024,
};

/** `readAudioFile`, in a child process. Throws AudioError. */
export function readAudioFacts(ctx: ReadingContext, path: string): Promise<AudioFacts> {
  const job = { module, task: 'facts', input: path, limits, refusals: [AudioError] };
  return readForeignPart<AudioFacts>(ctx, { ...job, refuse: refuseAudio });
}

/** The refusal of audio that made its reader fail. */
export function refuseAudio(cause: ProcessError): AudioError {
  return new AudioError('damaged', 'The file takes too much memory or time to read.', { cause });
}
