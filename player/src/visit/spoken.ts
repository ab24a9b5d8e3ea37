import { type Chapter, fetchChapters, findCurrent } from '../api/chapters.ts';
import { fetchText } from '../api/fetch.ts';
import { type Cue, parseVtt } from '../api/parse-vtt.ts';
import type { Episode } from '../api/wire.ts';

/** The chapters and the transcript of the episode that plays. Both are loaded once it plays. */
export class Spoken {
  chapters: readonly Chapter[] = [];
  language = '';
  #cues: readonly Cue[] = [];
  #of = '';
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Without either, listening continues. */
  load({ id, chapters_url: chapters, transcript }: Episode): void {
    if (id === this.#of) return;
    this.#of = id;
    this.chapters = [];
    this.#cues = [];
    this.language = transcript?.language ?? '';
    const done = (fill: () => void) => {
      if (id !== this.#of) return;
      fill();
      this.#onChange();
    };
    if (chapters) {
      const keep = (loaded: Chapter[]) => done(() => (this.chapters = loaded));
      fetchChapters(chapters).then(keep, () => {});
    }
    if (transcript?.content_type === 'text/vtt') {
      const keep = (text: string) => done(() => (this.#cues = parseVtt(text)));
      fetchText(transcript.url).then(keep, () => {});
    }
    this.#onChange();
  }

  chapterAt(seconds: number): number {
    return findCurrent(this.chapters, seconds);
  }

  /** What is said there; empty if unknown. */
  lineAt(seconds: number): string {
    return this.#cues[findCurrent(this.#cues, seconds)]?.text ?? '';
  }
}
