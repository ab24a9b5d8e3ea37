import { decodeEntities, tryParseLanguage, tryParseTiming } from './cue-text.ts';
import { carrySpeakers, takePrefixes } from './speaker-prefix.ts';
import type { RawSegment, RawTranscript } from './transcript.ts';

/** A comment of ours: no name is carried on, none is read from the words. */
export const everyCueNamed = 'NOTE Every cue names its speaker.';

/** WebVTT, as its standard reads it: what is no cue (notes, styles, regions) is passed over. */
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

/** The cues as they stand, speakers by voice tags alone. */
export function readVttCues(text: string): RawSegment[] {
  const [header = '', ...blocks] = splitBlocks(text);
  // Some files leave out the empty line behind the first.
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

function findSpeakers(segments: readonly RawSegment[]): RawSegment[] {
  const hasVoices = segments.some(({ speaker }) => speaker !== '');
  return carrySpeakers(hasVoices ? segments : takePrefixes(segments));
}

interface Cue {
  readonly timing: { readonly startMs: number; readonly endMs: number };
  readonly payload: string;
}

/** A timing line ends what stood before it, so a block may hold several cues. */
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

// `<v.loud Ana>`, `</v>`, `<c.x>`, `<00:01.000>`; a lone "<" is a sign like any other.
const tag = /<(\/?)([a-z]+)(?:\.[^\s<>]*)?(?:\s+([^<>]*))?>|<\/>|<[\d:.]+>/gi;

/** The cue's text by voices: `<v Ana>Hi <v Bo>Hello` are two people at the same time. */
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
