import { FileError } from '../../foundation/errors.ts';

/** A chapter, as it is stored. Addresses are http(s) and carry no credential. */
export interface Chapter {
  readonly startMs: number;
  /** After startMs; undefined if not known. */
  readonly endMs?: number;
  readonly title?: string;
  readonly imageUrl?: string;
  readonly linkUrl?: string;
  /** `toc: false`: changes the picture and the link, but is not in the list. */
  readonly hidden?: boolean;
}

export type ChaptersRefusal =
  | 'empty' // no chapter in it
  | 'too_large'
  | 'too_many_chapters'
  | 'not_chapters'; // another kind of file, or JSON that ends in the middle

/** Why a file holds no chapters. `message` is for the person who sent it. */
export class ChaptersError extends FileError<ChaptersRefusal> {}

export const maxChaptersBytes = 1024 * 1024;
export const maxChapters = 5000;
