import { type Cue, checkCueCount, dropRepeatedLines } from './caption-cues.ts';
import { decodeEntities, linesOf, tryParseTiming, tryParseTranscriptLanguage } from './cue-text.ts';
import { LeftOutParts } from './left-out.ts';
import { carrySpeakers, takePrefixes } from './speaker-prefix.ts';
import { maxTags, type RawSegment, type RawTranscript, TranscriptError } from './transcript.ts';

/** We write this comment into files in which text such as `Ana:` is not read as a name. */
export const everyCueNamed = 'NOTE Every cue names its speaker.';

/** Reads WebVTT by its standard: skips notes, styles and regions. */
export function parseVtt(text: string): RawTranscript {
  const { language, isOurs, leftOut, segments } = readVtt(text);
  return { segments: isOurs ? segments : findSpeakers(segments), language, leftOut };
}

export interface VttFile {
  readonly language: string | undefined;
  /** We have written it: no text begins with a name. */
  readonly isOurs: boolean;
  /** Only voice tags name speakers. */
  readonly segments: readonly RawSegment[];
  readonly leftOut: LeftOutParts;
}

export function readVtt(text: string): VttFile {
  const reader = new Reader();
  for (const line of linesOf(text)) {
    // A line of spaces is a line of the cue.
    if (line === '') reader.endBlock();
    else reader.block.push(line);
  }
  reader.endBlock();
  const { language, isOurs, leftOut, cues } = reader;
  const count = countTags();
  const segments = dropRepeatedLines(cues).flatMap(({ timing, lines }) =>
    splitVoices(lines.join('\n'), count).map((voice) => ({ ...timing, ...voice })),
  );
  return { language, isOurs, leftOut, segments };
}

const comment = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/;

class Reader {
  readonly cues: Cue[] = [];
  readonly leftOut = new LeftOutParts();
  language: string | undefined;
  isOurs = false;
  block: string[] = [];
  #hasHeader = false;
  #isNumbered = false;

  endBlock(): void {
    const lines = this.block;
    this.block = [];
    if (lines.length === 0) return;
    if (!this.#hasHeader) this.#readHeader(lines);
    else if (lines.some((line) => line.includes('-->'))) this.#readCues(lines);
    else this.#readOther(lines);
  }

  /** A note, a style, the number of a cue, or words that an empty line has cut from their cue. */
  #readOther(lines: readonly string[]): void {
    const [first = ''] = lines;
    if (lines.length === 1 && first.trim() === everyCueNamed) this.isOurs = true;
    const isWords = !comment.test(first) && lines.some((line) => /[^\s\d]/.test(line));
    if (isWords) this.leftOut.add(lines.slice(0, 5).join(' '));
  }

  /** Some files leave out the empty line after the header. */
  #readHeader(lines: readonly string[]): void {
    this.#hasHeader = true;
    const language = lines
      .map((line) => /^Language:\s*(\S+)/i.exec(line)?.[1])
      .find((found) => found !== undefined);
    this.language = tryParseTranscriptLanguage(language);
    if (lines.some((line) => line.includes('-->'))) this.#readCues(lines.slice(1));
  }

  /** A timing line ends the cue before it, so a block may hold several cues. */
  #readCues(lines: readonly string[]): void {
    const starts = lines.flatMap((line, index) => (line.includes('-->') ? [index] : []));
    if (this.cues.length === 0) this.#isNumbered = isNumber(lines[(starts[0] ?? 0) - 1]);
    for (const [index, start] of starts.entries()) {
      const next = starts[index + 1];
      const end = next === undefined ? lines.length : next - (this.#hasName(lines, next) ? 1 : 0);
      const payload = lines.slice(start + 1, end);
      const timing = tryParseTiming(lines[start] ?? '');
      if (timing !== undefined) this.cues.push({ timing, lines: payload });
      else if (!comment.test(lines[0] ?? '')) {
        this.leftOut.add([lines[start], ...payload.slice(0, 5)].join(' '));
      }
    }
    checkCueCount(this.cues.length);
  }

  /** Whether the line above a timing line is the next cue's name, in a file without empty lines. */
  #hasName(lines: readonly string[], timing: number): boolean {
    const name = lines[timing - 1] ?? '';
    if (this.#isNumbered && isNumber(name)) return true;
    return name.trim() !== '' && lines[timing - 2]?.trim() === '';
  }
}

function isNumber(line: string | undefined): boolean {
  return /^\s*\d+\s*$/.test(line ?? '');
}

/** A voice span ends with its cue. Only names before the words apply until the next one. */
function findSpeakers(segments: readonly RawSegment[]): readonly RawSegment[] {
  const hasVoices = segments.some(({ speaker }) => speaker !== '');
  return hasVoices ? segments : carrySpeakers(takePrefixes(segments));
}

function countTags(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count <= maxTags) return;
    throw new TranscriptError(
      'too_many_segments',
      `A transcript may have at most ${maxTags} tags.`,
    );
  };
}

interface Voice {
  readonly speaker: string;
  readonly text: string;
}

// `<v.loud Ana>`, `</v>`, `<c.x>`, `<00:01.000>`; a single "<" is normal text.
const tag = /<(\/?)([a-z]+)(?:\.[^\s<>]*)?(?:\s([^<>]*))?>|<\/>|<[\d:.]+>/gi;

/** Splits the cue's text by voices: `<v Ana>Hi <v Bo>Hello` are two people at the same time. */
function splitVoices(payload: string, count: () => void): Voice[] {
  const voices: Voice[] = [];
  let speaker = '';
  let text = '';
  let done = 0;
  const finish = () => {
    if (text.trim() !== '') voices.push({ speaker, text: decodeEntities(text) });
    text = '';
  };
  for (const match of payload.matchAll(tag)) {
    count();
    const [all, closing, name, annotation] = match;
    text += payload.slice(done, match.index);
    done = match.index + all.length;
    if (name?.toLowerCase() !== 'v') continue;
    finish();
    speaker = closing === '/' ? '' : decodeEntities(annotation ?? '');
  }
  text += payload.slice(done);
  finish();
  return voices;
}
