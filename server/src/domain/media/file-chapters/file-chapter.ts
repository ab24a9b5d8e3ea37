import type { RawChapter } from '../../transcripts/index.ts';

/** A chapter as an audio file's own tags state it, unchecked. */
export interface RawFileChapter extends RawChapter {
  readonly hasImage?: boolean;
}

/** Of each list that a file states: nobody edits more by hand. */
export const maxFileChapters = 1000;
