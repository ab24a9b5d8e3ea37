import type { Context } from './context.ts';
import type { Db } from './database.ts';

/**
 * One kind of file in the blob store, and its references from rows. Keys contain a random UUID and are
 * written once: a file without a reference a day after it was stored never gets one.
 */
export interface FileFamily {
  /** All keys begin with this and a slash. */
  readonly folder: string;
  /** The format of the keys. Other files in the folder are not ours. */
  readonly keyForm: RegExp;
  /** Which of these keys have a reference, in one statement. */
  findNamed(ctx: Context, keys: readonly string[]): Promise<ReadonlySet<string>>;
}

/** The first UUID of a key. */
export function fileIdOf(key: string): string {
  return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(key)?.[0] ?? '';
}

/** Of keys that name a row by its id: that of the first UUID in them. */
export function findByIds(
  selectKnown: (db: Db, ids: readonly string[]) => Promise<readonly string[]>,
): FileFamily['findNamed'] {
  return async ({ db }, keys) => {
    const known = new Set(await selectKnown(db, [...new Set(keys.map(fileIdOf))]));
    return new Set(keys.filter((key) => known.has(fileIdOf(key))));
  };
}
