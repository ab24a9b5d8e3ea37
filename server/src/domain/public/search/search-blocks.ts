import { createYielder } from '../../../lib/time-slices.ts';
import { findWords } from './words.ts';

/** Which text of an episode; hits in the first ones are better. */
export const parts = { title: 1, notes: 2, transcript: 3 } as const;
export type Part = (typeof parts)[keyof typeof parts];

/** The words of a part of a text, as the index stores them. */
export interface Block {
  readonly part: Part;
  readonly block: number;
  /** Of a transcript: the position of its first segment. */
  readonly firstSegment: number;
  /** Of a transcript: the position of each segment's first word. */
  readonly segmentStarts: readonly number[];
  /** The positions of each word, from 1, separated by commas. */
  readonly words: Readonly<Record<string, string>>;
}

export interface SearchedTexts {
  readonly title: string;
  readonly subtitle: string | null;
  readonly description: string;
  readonly showNotes: string | null;
}

/** Some ten minutes of speech. All words of a search have to be in one block. */
const blockChars = 8_000;
/** Positions in a tsvector end at 16,383. */
const mostWords = 16_000;
/** Of the notes; search engines read no more of a page, either. */
const mostNoteChars = 100_000;

/** The subtitle and the notes of an episode. */
export function notesOf({ title, subtitle, description, showNotes }: SearchedTexts): string {
  const texts = [subtitle, description, showNotes]
    .map((text) => text?.trim() ?? '')
    .filter((text, at, all) => text !== '' && text !== title.trim() && all.indexOf(text) === at);
  return texts.join('\n').slice(0, mostNoteChars);
}

/** The blocks of an episode. Yields to other tasks. */
export async function writeBlocks(
  texts: SearchedTexts,
  segments: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
): Promise<Block[]> {
  const pause = createYielder();
  const blocks: Block[] = [];
  const title = new BlockWriter(parts.title, 0, 0);
  title.add(texts.title);
  blocks.push(title.finish());
  // With the title, so that a search may be for words of both.
  for (const [at, piece] of piecesOf(`${texts.title}\n${notesOf(texts)}`).entries()) {
    const notes = new BlockWriter(parts.notes, at, 0);
    notes.add(piece);
    blocks.push(notes.finish());
    await pause();
  }
  let transcript = new BlockWriter(parts.transcript, 0, 0);
  let position = 0;
  for await (const some of segments) {
    for (const segment of some) {
      if (transcript.isFull) {
        blocks.push(transcript.finish());
        transcript = new BlockWriter(parts.transcript, transcript.block + 1, position);
      }
      transcript.add(segment);
      position += 1;
      await pause();
    }
  }
  if (position > 0) blocks.push(transcript.finish());
  return blocks;
}

/** Pieces of a text, cut between words if possible. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + blockChars;
    const space = end < text.length ? text.lastIndexOf(' ', end) : end;
    const to = space > from + blockChars / 2 ? space : end;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

class BlockWriter {
  readonly block: number;
  readonly #part: Part;
  readonly #firstSegment: number;
  readonly #words = new Map<string, string>();
  readonly #starts: number[] = [];
  #count = 0;
  #chars = 0;

  constructor(part: Part, block: number, firstSegment: number) {
    this.#part = part;
    this.block = block;
    this.#firstSegment = firstSegment;
  }

  get isFull(): boolean {
    return this.#chars >= blockChars;
  }

  add(text: string): void {
    this.#starts.push(this.#count + 1);
    this.#chars += text.length + 1;
    for (const { word } of findWords(text)) {
      if (this.#count >= mostWords) return;
      this.#count += 1;
      const known = this.#words.get(word);
      this.#words.set(word, known === undefined ? `${this.#count}` : `${known},${this.#count}`);
    }
  }

  finish(): Block {
    return {
      part: this.#part,
      block: this.block,
      firstSegment: this.#firstSegment,
      segmentStarts: this.#part === parts.transcript ? this.#starts : [],
      words: Object.fromEntries(this.#words),
    };
  }
}
