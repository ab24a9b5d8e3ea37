import { tryParseTranscriptLanguage } from './cue-text.ts';
import { isRecord, isTooLargeJson, tryReadTime } from './json-fields.ts';
import { LeftOutParts } from './left-out.ts';
import { maxCues, type RawSegment, type RawTranscript, TranscriptError } from './transcript.ts';

/**
 * Reads the JSON of the Podcasting 2.0 namespace (`startTime`, `endTime`, `speaker`, `body`) and
 * its common variants: `start`, `end`, `text` (Whisper, our own API), a bare list, times as text.
 * Also the JSON of whisper.cpp, Hugging Face, Deepgram, AssemblyAI and Amazon Transcribe.
 */
export function parseTranscriptJson(text: string): RawTranscript {
  if (isTooLargeJson(text)) {
    throw new TranscriptError('too_many_segments', 'The JSON has too many values or levels.');
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new TranscriptError('damaged', 'The transcript is not valid JSON.', { cause });
  }
  const found = findList(document);
  if (found === undefined) {
    throw new TranscriptError('not_a_transcript', 'The JSON has no list of segments.');
  }
  if (found.list.length > maxCues) {
    throw new TranscriptError(
      'too_many_segments',
      `A transcript may have at most ${maxCues} segments.`,
    );
  }
  return { ...readList(found), language: findLanguage(document) };
}

interface FoundList {
  readonly list: readonly unknown[];
  /** Of one unit of time in the list. */
  readonly unitMs: 1 | 1000;
  /** The list has words, of which several make a sentence. */
  readonly isWords?: boolean;
}

function findList(document: unknown): FoundList | undefined {
  if (Array.isArray(document)) return { list: document, unitMs: 1000 };
  const results = at(document, 'results');
  const best = at(results, 'channels', 0, 'alternatives', 0);
  // The path of each program's segments; the unit of AssemblyAI is the millisecond.
  const candidates: readonly (readonly [list: unknown, unitMs: 1 | 1000])[] = [
    [at(document, 'segments'), 1000],
    [at(document, 'transcription'), 1],
    [at(document, 'chunks'), 1000],
    [at(document, 'utterances'), 1],
    [at(results, 'utterances'), 1000],
    [joinParagraphs(at(best, 'paragraphs', 'paragraphs')), 1000],
    [at(results, 'audio_segments'), 1000],
  ];
  for (const [list, unitMs] of candidates) {
    if (Array.isArray(list)) return { list, unitMs };
  }
  const words = [[at(best, 'words'), 1000] as const, [at(document, 'words'), 1] as const];
  for (const [list, unitMs] of words) {
    if (Array.isArray(list)) return { list, unitMs, isWords: true };
  }
  return undefined;
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof step === 'number') found = Array.isArray(found) ? found[step] : undefined;
    else found = isRecord(found) ? found[step] : undefined;
  }
  return found;
}

/** Deepgram's paragraphs name the speaker, and their sentences have the words. */
function joinParagraphs(paragraphs: unknown): unknown {
  if (!Array.isArray(paragraphs)) return undefined;
  return paragraphs.flatMap((paragraph) => {
    const sentences = at(paragraph, 'sentences');
    const speaker = at(paragraph, 'speaker');
    if (!Array.isArray(sentences)) return [paragraph];
    return sentences.map((sentence) => (isRecord(sentence) ? { speaker, ...sentence } : sentence));
  });
}

function readList({
  list,
  unitMs,
  isWords,
}: FoundList): Pick<RawTranscript, 'segments' | 'leftOut'> {
  const leftOut = new LeftOutParts();
  const segments: RawSegment[] = [];
  for (const entry of list) {
    const segment = isRecord(entry) ? readSegment(entry, unitMs) : undefined;
    if (segment === undefined) leftOut.add(JSON.stringify(entry) ?? '');
    else segments.push(segment);
  }
  return { segments: isWords === true ? joinWords(segments) : segments, leftOut };
}

/** Undefined for an entry without words; an empty text is not a loss. */
function readSegment(entry: Record<string, unknown>, unitMs: 1 | 1000): RawSegment | undefined {
  const text = readWords(entry);
  if (text === undefined) return undefined;
  const [start, end] = readTimes(entry);
  const scale = (ms: number | undefined) => (ms === undefined ? undefined : (ms / 1000) * unitMs);
  return { startMs: scale(start), endMs: scale(end), speaker: readSpeaker(entry), text };
}

function readWords(entry: Record<string, unknown>): string | undefined {
  for (const name of ['body', 'text', 'transcript', 'punctuated_word', 'word']) {
    const text = entry[name];
    if (text === undefined || text === null) continue;
    return typeof text === 'string' ? text : undefined;
  }
  return undefined;
}

/** In milliseconds, as if numbers were seconds. */
function readTimes(entry: Record<string, unknown>): [number | undefined, number | undefined] {
  const { timestamp, offsets } = entry;
  if (Array.isArray(timestamp)) return [tryReadTime(timestamp[0]), tryReadTime(timestamp[1])];
  if (isRecord(offsets)) return [tryReadTime(offsets['from']), tryReadTime(offsets['to'])];
  return [
    tryReadTime(entry['startTime'] ?? entry['start'] ?? entry['start_time']),
    tryReadTime(entry['endTime'] ?? entry['end'] ?? entry['end_time']),
  ];
}

/** Some programs number the speakers. */
function readSpeaker(entry: Record<string, unknown>): string {
  const speaker = entry['speaker'] ?? entry['speaker_label'] ?? entry['speaker_name'];
  if (typeof speaker === 'number') return `Speaker ${speaker}`;
  return typeof speaker === 'string' ? speaker : '';
}

const sentenceEnd = /[.!?…。！？]["'”’»)\]]*\s*$/;
const longestPauseMs = 1500;
const longestLength = 200;

/** Words become a segment until a sentence ends, the speaker changes, or nobody speaks. */
function joinWords(words: readonly RawSegment[]): RawSegment[] {
  const segments: RawSegment[] = [];
  for (const word of words) {
    const last = segments.at(-1);
    const isNext =
      last === undefined ||
      last.speaker !== word.speaker ||
      last.text.length > longestLength ||
      sentenceEnd.test(last.text.slice(-10)) ||
      (word.startMs ?? 0) - (last.endMs ?? 0) > longestPauseMs;
    if (isNext) segments.push(word);
    else {
      const text = `${last.text} ${word.text.trim()}`;
      segments[segments.length - 1] = { ...last, endMs: word.endMs, text };
    }
  }
  return segments;
}

function findLanguage(document: unknown): string | undefined {
  const said = [
    at(document, 'language'),
    at(document, 'language_code'),
    at(document, 'result', 'language'),
    at(document, 'params', 'language'),
    at(document, 'results', 'channels', 0, 'detected_language'),
    at(document, 'results', 'language_code'),
  ];
  return said.map(tryParseTranscriptLanguage).find((found) => found !== undefined);
}
