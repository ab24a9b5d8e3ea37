import type { Chapter, RawChapter } from '../../transcripts/index.ts';

/** A chapter in the tags of an audio file. */
export interface FileChapter extends Chapter {
  /** Whether the file has a picture for it. The picture stays in the file. */
  readonly hasImage: boolean;
}

/** The same, unchecked. */
export interface RawFileChapter extends RawChapter {
  readonly hasImage?: boolean;
}

/** The most chapters that are read from each list: nobody edits more by hand. */
export const maxFileChapters = 1000;
