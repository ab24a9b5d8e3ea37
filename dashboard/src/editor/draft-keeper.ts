import { applyEdit, type Draft, type Edit, isClean } from './draft.ts';
import {
  type DraftKey,
  type DraftStore,
  StorageError,
  type StorageProblem,
} from './draft-store.ts';
import { type Fields, sameValue } from './fields.ts';

interface KeeperOptions {
  readonly key: DraftKey;
  readonly store: DraftStore;
  readonly first: Draft;
  readonly now: () => number;
  /** Called after each change of the draft or of the storage's state. */
  readonly onChange: () => void;
  /** Called when this tab has written something that other tabs may read. */
  readonly onWritten: () => void;
}

/**
 * One tab's view of a draft: what the store has, and the edits that are on their way there. An edit
 * is visible at once. If the browser keeps nothing, the draft lives on in this tab.
 */
export class DraftKeeper {
  readonly #options: KeeperOptions;
  #stored: Draft;
  #pending: Edit[] = [];
  /** So many of the pending edits are being written now. */
  #writing = 0;
  /** A write that takes all pending edits is in the queue. */
  #flushing = false;
  #queue: Promise<unknown> = Promise.resolve();
  #problem: StorageProblem | undefined;
  #live: Draft;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#stored = options.first;
    this.#live = options.first;
  }

  /** With every edit, stored or not. */
  get draft(): Draft {
    return this.#live;
  }

  /** Why the browser does not keep the draft, if it does not. */
  get problem(): StorageProblem | undefined {
    return this.#problem;
  }

  edit(changes: Fields): void {
    for (const [field, to] of Object.entries(changes)) {
      const from = this.#live.mine[field] ?? null;
      if (sameValue(from, to)) continue;
      this.#add({ field, from, to });
    }
    this.#show();
    if (this.#flushing || this.#pending.length === this.#writing) return;
    this.#flushing = true;
    void this.change((draft) => draft);
  }

  /** Changes the stored draft, after the edits so far. Gives the stored draft. */
  change(change: (draft: Draft) => Draft): Promise<Draft> {
    const changed = this.#queue.then(() => this.#write(change));
    this.#queue = changed.catch(() => undefined);
    return changed;
  }

  async #write(change: (draft: Draft) => Draft): Promise<Draft> {
    const edits = [...this.#pending];
    this.#writing = edits.length;
    this.#flushing = false;
    const next = (draft: Draft) => change(this.#apply(draft, edits));
    let result = this.#stored;
    let written = false;
    try {
      await this.#options.store.update(this.#options.key, (stored) => {
        // While the store failed, this tab went on alone: what it has is newer.
        const current = this.#problem === undefined ? stored : undefined;
        result = next(current ?? this.#stored);
        // What nobody has edited is not worth keeping.
        written = stored === undefined ? !isClean(result) : result !== stored;
        return written ? result : undefined;
      });
      this.#stored = result;
      this.#problem = undefined;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      written = false;
      this.#stored = next(this.#stored);
      this.#problem = error.problem;
    } finally {
      this.#writing = 0;
    }
    this.#pending.splice(0, edits.length);
    this.#show();
    if (written) this.#options.onWritten();
    return this.#stored;
  }

  /** While a field's earlier edit waits to be written, both become one. */
  #add(edit: Edit): void {
    const index = this.#pending.findLastIndex(({ field }) => field === edit.field);
    const earlier = this.#pending[index];
    if (earlier === undefined || index < this.#writing) this.#pending.push(edit);
    else this.#pending[index] = { ...edit, from: earlier.from };
  }

  #show(): void {
    this.#live = this.#apply(this.#stored, this.#pending);
    this.#options.onChange();
  }

  #apply(draft: Draft, edits: readonly Edit[]): Draft {
    const now = this.#options.now();
    return edits.reduce((edited, edit) => applyEdit(edited, edit, now), draft);
  }
}
