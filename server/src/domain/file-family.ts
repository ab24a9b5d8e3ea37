import type { Context } from './context.ts';

/**
 * One kind of file in the blob store, and its references from rows. Keys are random and written
 * once: a file without a reference a day after it was stored never gets one.
 */
export interface FileFamily {
  /** All keys begin with this and a slash. */
  readonly folder: string;
  /** The format of the keys. Other files in the folder are not ours. */
  readonly keyForm: RegExp;
  /** Which of these keys have a reference, in one statement. */
  findNamed(ctx: Context, keys: readonly string[]): Promise<ReadonlySet<string>>;
}
