import type { StoredAudio } from '../../publishing/audio/index.ts';
import type { SeedFolder } from '../shows/edits/index.ts';
import type { Loading } from './read-entries.ts';

/** The input for entries beside the seed file. */
export interface SeedInputs extends Loading {
  readonly folder: SeedFolder;
  /** By the path of the episode. */
  readonly audio: ReadonlyMap<string, StoredAudio>;
  readonly signal: AbortSignal | undefined;
}

export interface Made {
  readonly id: string;
  readonly slug: string;
}

/** Refs are checked before, so the entry exists. */
export function getByRef<T>(made: ReadonlyMap<string, T>, ref: string): T {
  const thing = made.get(ref);
  if (thing === undefined) throw new Error(`no entry with the ref ${ref}`);
  return thing;
}
