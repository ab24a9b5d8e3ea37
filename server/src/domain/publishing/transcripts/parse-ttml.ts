import { loadHtmlParser } from '../../../lib/html/html-readers.ts';
import { tryParseClock, tryParseTranscriptLanguage } from './cue-text.ts';
import { LeftOutParts } from './left-out.ts';
import { maxCues, type RawSegment, type RawTranscript, TranscriptError } from './transcript.ts';

/**
 * Reads TTML (W3C), which Apple Podcasts offers for download: paragraphs with `begin` and `end` or
 * `dur`. Apple's paragraphs consist of sentences, which are the segments. Speakers are
 * `ttm:agent`s.
 */
export function parseTtml(text: string): RawTranscript {
  const { Parser } = loadHtmlParser();
  const reader = new Reader();
  const parser = new Parser(
    {
      onopentag: (name, attribs) => reader.open(localName(name), attribs),
      ontext: (part) => reader.text(part),
      onclosetag: (name) => reader.close(localName(name)),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return reader.finish();
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

type Attributes = Readonly<Record<string, string>>;

interface Span {
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
}

interface Piece extends Span {
  readonly agent: string;
  text: string;
  /** The start of the element around it, and of all of them together. */
  readonly outerMs: number;
  readonly outerSumMs: number;
}

interface Open extends Span {
  readonly name: string;
  readonly agent: string;
  readonly isPiece: boolean;
  readonly isInTimed: boolean;
  /** With its own start, or that of the element around it; and of all of them together. */
  readonly beginMs: number;
  readonly sumMs: number;
}

const outermost = { agent: '', isInTimed: false, beginMs: 0, sumMs: 0 };

const maxDepth = 100;

class Reader {
  #language: string | undefined;
  #frameRate = 30;
  #tickRate = 1;
  readonly #open: Open[] = [];
  readonly #pieces: Piece[] = [];
  readonly #names = new Map<string, string>();
  readonly #leftOut = new LeftOutParts();
  /** The agent whose name is being read. */
  #agent: string | undefined;
  #piece: Piece | undefined;

  open(name: string, attributes: Attributes): void {
    if (this.#open.length >= maxDepth) {
      throw new TranscriptError('damaged', "The transcript's TTML is nested too deeply.");
    }
    const read = (wanted: string) => findAttribute(attributes, wanted);
    if (name === 'tt') this.#readRoot(attributes);
    if (name === 'agent') this.#agent = read('id');
    const span = this.#readSpan(attributes);
    const { startMs } = span;
    const outer = this.#open.at(-1) ?? outermost;
    const [agent = outer.agent] = read('agent')?.split(' ', 1) ?? [];
    const isSentence = name === 'span' && read('unit') === 'sentence';
    const isTimedSpan = name === 'span' && startMs !== undefined && !outer.isInTimed;
    const isPiece = name === 'p' || isSentence || isTimedSpan;
    const isInTimed = outer.isInTimed || (isPiece && startMs !== undefined);
    const [beginMs, sumMs] = [startMs ?? outer.beginMs, outer.sumMs + (startMs ?? 0)];
    this.#open.push({ ...span, name, agent, isPiece, isInTimed, beginMs, sumMs });
    const place = { outerMs: outer.beginMs, outerSumMs: outer.sumMs };
    if (isPiece) this.#begin({ ...span, ...place, agent, text: '' });
    const isWord = name === 'span' && read('unit') === 'word';
    if ((name === 'br' || isWord) && this.#piece !== undefined) this.#piece.text += ' ';
  }

  text(part: string): void {
    const inName = this.#open.at(-1)?.name === 'name' && this.#agent !== undefined;
    if (inName) {
      const agent = this.#agent as string;
      this.#names.set(agent, (this.#names.get(agent) ?? '') + part);
    } else if (this.#piece !== undefined) {
      this.#piece.text += part;
    }
  }

  close(name: string): void {
    const closed = this.#open.pop();
    if (name === 'agent') this.#agent = undefined;
    if (closed?.isPiece !== true) return;
    // Words behind a sentence belong to the paragraph around it, and have no time of their own.
    const around = this.#open.findLast(({ isPiece }) => isPiece);
    this.#piece = undefined;
    if (around === undefined) return;
    const { agent, beginMs: outerMs, sumMs: outerSumMs } = around;
    this.#begin({ startMs: undefined, endMs: undefined, agent, text: '', outerMs, outerSumMs });
  }

  finish(): RawTranscript {
    const pieces = this.#pieces.filter(({ text }) => text.trim() !== '');
    const isRelative = hasRelativeTimes(pieces);
    const segments = pieces.map(({ startMs, endMs, agent, text, outerSumMs }): RawSegment => {
      const shift = isRelative ? outerSumMs : 0;
      const shifted = (ms: number | undefined) => (ms === undefined ? undefined : ms + shift);
      const speaker = this.#names.get(agent)?.trim() || agent;
      return { startMs: shifted(startMs), endMs: shifted(endMs), speaker, text };
    });
    return { segments, language: this.#language, leftOut: this.#leftOut };
  }

  #begin(piece: Piece): void {
    this.#pieces.push(piece);
    this.#piece = piece;
    if (this.#pieces.length <= maxCues) return;
    throw new TranscriptError(
      'too_many_segments',
      `A transcript may have at most ${maxCues} segments.`,
    );
  }

  #readRoot(attributes: Attributes): void {
    this.#language = tryParseTranscriptLanguage(findAttribute(attributes, 'lang'));
    const frameRate = Number(findAttribute(attributes, 'framerate'));
    const tickRate = Number(findAttribute(attributes, 'tickrate'));
    if (frameRate > 0) this.#frameRate = frameRate;
    this.#tickRate = tickRate > 0 ? tickRate : this.#frameRate;
  }

  #readSpan(attributes: Attributes): Span {
    const startMs = this.#readTime(findAttribute(attributes, 'begin'));
    const end = this.#readTime(findAttribute(attributes, 'end'));
    const length = this.#readTime(findAttribute(attributes, 'dur'));
    const endMs = end ?? (length === undefined ? undefined : (startMs ?? 0) + length);
    return { startMs, endMs };
  }

  /** `00:00:01.5`, `00:00:01:12` (frames), `1.5s`, `90f`, and Apple's `1:02.5` and `0.5`. */
  #readTime(text: string | undefined): number | undefined {
    const trimmed = text?.trim() ?? '';
    if (trimmed === '') return undefined;
    const [, frames] = /^\d+:\d+:\d+:(\d{1,3})(?:\.\d+)?$/.exec(trimmed) ?? [];
    const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,9})?)(h|m|s|ms|f|t)?$/.exec(trimmed) ?? [];
    if (amount !== undefined) return Number(amount) * this.#msOf(unit);
    const clock = tryParseClock(frames === undefined ? trimmed : trimmed.replace(/:[\d.]+$/, ''));
    if (clock === undefined) this.#leftOut.add(trimmed);
    else if (frames !== undefined) return clock + Number(frames) * this.#msOf('f');
    return clock;
  }

  #msOf(unit: string): number {
    if (unit === 'f') return 1000 / this.#frameRate;
    if (unit === 't') return 1000 / this.#tickRate;
    return { h: 3_600_000, m: 60_000, s: 1000 }[unit] ?? 1;
  }
}

/** By its name without the prefix, which every program chooses for itself. */
function findAttribute(attributes: Attributes, wanted: string): string | undefined {
  for (const [name, value] of Object.entries(attributes)) {
    if (localName(name) === wanted) return value;
  }
  return undefined;
}

/**
 * By the standard, times count from the beginning of the element around; Apple's and many others
 * count from the beginning of the audio. Only relative ones are before the element around them.
 */
function hasRelativeTimes(pieces: readonly Piece[]): boolean {
  return pieces.some(({ startMs, outerMs }) => startMs !== undefined && startMs < outerMs);
}
