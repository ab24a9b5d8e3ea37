import { ApiError } from '../api/errors.ts';

/** `untouched`: nothing has changed since it was loaded. */
export type SaveStatus = 'untouched' | 'saved' | 'unsaved' | 'saving' | 'conflict' | 'failed';

export interface SaverState {
  readonly status: SaveStatus;
  /** Of the last failure. */
  readonly error: unknown;
}

interface Options<T> {
  /** Of the episode, as it was read. */
  readonly revision: number;
  /** Of the details of a conflict: what this saves. */
  readonly field: string;
  /** Saved so long after the last change; null: when one asks for it. */
  readonly delayMs: number | null;
  /** Resolves to the episode's new revision. */
  readonly save: (value: T, revision: number) => Promise<number>;
}

/**
 * Saves one part of an episode: one request is under way, and the newest value goes next. A change
 * of another part of the episode is no conflict.
 */
export class Saver<T> {
  readonly #options: Options<T>;
  readonly #listeners = new Set<() => void>();
  #revision: number;
  #value: { readonly value: T } | undefined;
  #state: SaverState = { status: 'untouched', error: undefined };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReady = true;
  #isUnderWay = false;

  constructor(options: Options<T>) {
    this.#options = options;
    this.#revision = options.revision;
  }

  get state(): SaverState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Undefined: there is nothing to save any more. What is not ready waits for the next change. */
  change(value: T | undefined, isReady = true): void {
    clearTimeout(this.#timer);
    this.#value = value === undefined ? undefined : { value };
    this.#isReady = isReady;
    if (this.#isUnderWay || this.#state.status === 'conflict') return;
    this.#show(value === undefined ? 'saved' : 'unsaved');
    const { delayMs } = this.#options;
    if (value !== undefined && isReady && delayMs !== null) {
      this.#timer = setTimeout(() => void this.save(), delayMs);
    }
  }

  /** Somebody else's change of this part is known, and this one is to take its place. */
  async overwrite(): Promise<void> {
    this.#show('unsaved');
    await this.save();
  }

  async save(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isUnderWay || !this.#isReady) return;
    this.#isUnderWay = true;
    try {
      while (this.#value !== undefined && this.#isReady) await this.#saveOnce(this.#value);
      if (this.#value !== undefined) this.#show('unsaved');
      else if (this.#state.status !== 'untouched') this.#show('saved');
    } catch (error) {
      this.#show(isConflict(error) ? 'conflict' : 'failed', error);
    } finally {
      this.#isUnderWay = false;
    }
  }

  async #saveOnce(given: { readonly value: T }): Promise<void> {
    this.#show('saving');
    try {
      this.#revision = await this.#options.save(given.value, this.#revision);
    } catch (error) {
      if (!isConflict(error) || error.revision === undefined) throw error;
      this.#revision = error.revision;
      const { field } = this.#options;
      if (error.details.some((detail) => detail.field === field || detail.field === '*'))
        throw error;
      return;
    }
    if (this.#value === given) this.#value = undefined;
  }

  #show(status: SaveStatus, error?: unknown): void {
    this.#state = { status, error };
    for (const listener of this.#listeners) listener();
  }
}

function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 412;
}
