import type { RawChapter } from '../../transcripts/index.ts';

/** A chapter from the tags of an audio file, unchecked. */
export interface RawFileChapter extends RawChapter {
  readonly hasImage?: boolean;
}

/** The most chapters that are read from each list: nobody edits more by hand. */
export const maxFileChapters = 1000;
