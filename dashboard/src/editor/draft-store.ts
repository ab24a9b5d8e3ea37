import type { Draft } from './draft.ts';

/** Drafts are stored by person and subject, because two people may share one browser. */
export interface DraftKey {
  readonly userId: string;
  /** An episode's id, or `form` and its name. */
  readonly subjectId: string;
}

/** Whether a draft is of a form, and not of an episode. */
export const isForm = (subjectId: string) => subjectId.startsWith('form ');

export interface DraftStore {
  /**
   * Reads and writes one draft in one transaction, also across tabs. Writes nothing if `change`
   * returns undefined. Throws StorageError.
   */
  update(key: DraftKey, change: (stored: Draft | undefined) => Draft | undefined): Promise<void>;
  /** Removes the draft if `condition` holds for what is stored. */
  removeIf(key: DraftKey, condition: (stored: Draft) => boolean): Promise<void>;
  /** Removes all drafts of a person. */
  removeAll(userId: string): Promise<void>;
  list(userId: string): Promise<readonly { readonly key: DraftKey; readonly draft: Draft }[]>;
}

/** `full`: the browser's quota is used up. `unavailable`: it stores nothing (private windows). */
export type StorageProblem = 'full' | 'unavailable';

export class StorageError extends Error {
  readonly problem: StorageProblem;

  constructor(problem: StorageProblem, cause: unknown) {
    super(`drafts cannot be kept: ${problem}`, { cause });
    this.name = 'StorageError';
    this.problem = problem;
  }
}
