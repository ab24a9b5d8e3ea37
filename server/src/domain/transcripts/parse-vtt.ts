import { decodeEntities, tryParseLanguage, tryParseTiming } from './cue-text.ts';
import { carrySpeakers, takePrefixes } from './speaker-prefix.ts';
import type { RawSegment, RawTranscript } from './transcript.ts';

/** We write this comment into files in which text such as `Ana:` is not read as a name. */
export const everyCueNamed = 'NOTE Every cue names its speaker.';

/** Reads WebVTT by its standard: skips notes, styles and regions. */
export function parseVtt(text: string): RawTranscript {
  const blocks = splitBlocks(text);
  const segments = readVttCues(text);
  const [header = ''] = blocks;
  const language = header
    .split('\n')
    .map((line) => /^Language:\s*(\S+)/i.exec(line)?.[1])
    .find((found) => found !== undefined);
  const isOurs = blocks.some((block) => block.trim() === everyCueNamed);
  return {
    segments: isOurs ? segments : findSpeakers(segments),
    language: tryParseLanguage(language),
  };
}

/** Returns the cues unchanged; only voice tags name speakers. */
export function readVttCues(text: string): RawSegment[] {
  const [header = '', ...blocks] = splitBlocks(text);
  // Some files leave out the empty line after the header.
  const first = header.split('\n').slice(1).join('\n');
  return [first, ...blocks]
    .flatMap(parseBlock)
    .flatMap(({ timing, payload }) =>
      splitVoices(payload).map((voice) => ({ ...timing, ...voice })),
    );
}

function splitBlocks(text: string): string[] {
  return text.split(/\n(?:[ \t]*\n)+/);
}

/** A voice span ends with its cue. Only names before the words apply until the next one. */
function findSpeakers(segments: readonly RawSegment[]): readonly RawSegment[] {
  const hasVoices = segments.some(({ speaker }) => speaker !== '');
  return hasVoices ? segments : carrySpeakers(takePrefixes(segments));
}

interface Cue {
  readonly timing: { readonly startMs: number; readonly endMs: number };
  readonly payload: string;
}

/** A timing line ends the cue before it, so a block may hold several cues. */
function parseBlock(block: string): Cue[] {
  const lines = block.split('\n');
  const starts = lines.flatMap((line, index) => (line.includes('-->') ? [index] : []));
  return starts.flatMap((start, index) => {
    const timing = tryParseTiming(lines[start] ?? '');
    const payload = lines.slice(start + 1, starts[index + 1]).join('\n');
    return timing === undefined ? [] : [{ timing, payload }];
  });
}

interface Voice {
  readonly speaker: string;
  readonly text: string;
}

// `<v.loud Ana>`, `</v>`, `<c.x>`, `<00:01.000>`; a single "<" is normal text.
const tag = /<(\/?)([a-z]+)(?:\.[^\s<>]*)?(?:\s([^<>]*))?>|<\/>|<[\d:.]+>/gi;

/** Splits the cue's text by voices: `<v Ana>Hi <v Bo>Hello` are two people at the same time. */
function splitVoices(payload: string): Voice[] {
  const voices: Voice[] = [];
  let speaker = '';
  let text = '';
  let done = 0;
  const finish = () => {
    if (text.trim() !== '') voices.push({ speaker, text: decodeEntities(text) });
    text = '';
  };
  for (const match of payload.matchAll(tag)) {
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
