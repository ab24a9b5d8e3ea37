import type { JobFile, JobLimits, ProcessError } from '../../../platform/processes/job.ts';
import {
  type ReadingContext,
  readForeign,
  readForeignPart,
} from '../../foundation/read-foreign.ts';
import { ChaptersError } from './chapter.ts';
import type { ParsedChapters } from './complete-chapters.ts';
import type { TranscriptPart } from './text-tasks.ts';
import { type Segment, type Transcript, TranscriptError } from './transcript.ts';

const module = new URL('./text-tasks.ts', import.meta.url);
const MB = 1024 * 1024;
const limits: JobLimits = {
  ...{ memoryMb: 512, cpuMs: 30_000, wallMs: 5 * 60_000, resultBytes: 64 * MB },
};

/**
 * Reads transcripts and chapters in child processes, and gets the results in small parts, so that
 * hostile ones affect nobody else.
 */
export class TextReader {
  readonly #ctx: ReadingContext;
  readonly #signal: AbortSignal | undefined;

  constructor(ctx: ReadingContext, signal?: AbortSignal) {
    this.#ctx = ctx;
    this.#signal = signal;
  }

  /** Throws TranscriptError, or the signal's reason. */
  async transcript(file: JobFile, type: string | undefined): Promise<Transcript> {
    let about: Omit<Transcript, 'segments'> | undefined;
    const segments: Segment[] = [];
    const job = {
      task: 'transcript',
      input: { type },
      files: [file],
      limits,
    };
    const rules = { refusals: [TranscriptError], refuse: refuseTranscript, signal: this.#signal };
    await readForeign(this.#ctx, { module, ...job, ...rules }, (part) => {
      const read = part as TranscriptPart;
      if ('wordCount' in read) about = read;
      else for (const segment of read) segments.push(segment);
    });
    if (about === undefined) throw new Error('the facts of the transcript are missing');
    return { ...about, segments };
  }

  /** Throws ChaptersError, or the signal's reason. */
  chapters(file: JobFile): Promise<ParsedChapters> {
    const job = { task: 'chapters', files: [file], limits };
    const rules = { refusals: [ChaptersError], refuse: refuseChapters, signal: this.#signal };
    return readForeignPart<ParsedChapters>(this.#ctx, { module, ...job, ...rules });
  }
}

function refuseTranscript(cause: ProcessError): TranscriptError {
  const message = 'The transcript takes too much memory or time to read.';
  return new TranscriptError('too_large', message, { cause });
}

function refuseChapters(cause: ProcessError): ChaptersError {
  const message = 'The chapters take too much memory or time to read.';
  return new ChaptersError('too_large', message, { cause });
}
