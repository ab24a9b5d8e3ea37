import { readWhole } from '../../foundation/read-foreign.ts';
import type { ParsedChapters } from './complete-chapters.ts';
import {
  decodeText,
  parseChapters,
  parseTranscript,
  refuseHostileText,
  refuseLongFiles,
} from './parsing/index.ts';
import type { Segment, Transcript } from './transcript.ts';

// In a child process. Parts of results are small, so that receiving them does not block the parent.

type Files = AsyncIterable<AsyncIterable<Buffer>>;

export type TranscriptPart = Omit<Transcript, 'segments'> | readonly Segment[];
const segmentsOfPart = 2_000;

/** First what is known of the whole, then the segments. */
export async function* transcript(
  { type }: { readonly type: string | undefined },
  files: Files,
): AsyncGenerator<TranscriptPart> {
  const text = decodeText(await readWhole(files));
  refuseHostileText(text);
  const { segments, ...about } = parseTranscript(text, type === undefined ? {} : { type });
  refuseLongFiles(segments);
  yield about;
  for (let at = 0; at < segments.length; at += segmentsOfPart) {
    yield segments.slice(at, at + segmentsOfPart);
  }
}

export async function* chapters(_: unknown, files: Files): AsyncGenerator<ParsedChapters> {
  yield parseChapters(decodeText(await readWhole(files)));
}
