import type { StoredAudio } from '../media/index.ts';
import type { Loading } from './read-entries.ts';
import type { WorldFolder } from './world-files.ts';

/** What a world is made from, beside its file. */
export interface Materials extends Loading {
  readonly folder: WorldFolder;
  /** By the path of the episode. */
  readonly audio: ReadonlyMap<string, StoredAudio>;
  readonly signal: AbortSignal | undefined;
}

export interface Made {
  readonly id: string;
  readonly slug: string;
}

/** Refs have been checked: what is named is there. */
export function named<T>(made: ReadonlyMap<string, T>, ref: string): T {
  const thing = made.get(ref);
  if (thing === undefined) throw new Error(`nothing was made for the ref ${ref}`);
  return thing;
}
