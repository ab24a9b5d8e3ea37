import {
  acknowledge,
  adopt,
  applyEdits,
  type Draft,
  type Edit,
  isClean,
  type ServerState,
} from './draft.ts';
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
 * One tab's view of a draft: the stored draft, and edits that are being stored. An edit is visible
 * at once. If the browser cannot store anything, the draft exists in this tab only.
 */
export class DraftKeeper {
  readonly #options: KeeperOptions;
  readonly #known: KnownRevisions;
  #stored: Draft;
  /** Edits that are being written now, and by field those that are written next. */
  #writing: readonly Edit[] = [];
  readonly #pending = new Map<string, Edit>();
  /** A write that takes all pending edits is in the queue. */
  #flushing = false;
  #queue: Promise<unknown> = Promise.resolve();
  #problem: StorageProblem | undefined;
  #live: Draft;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#known = new KnownRevisions(options.first.revision);
    this.#stored = options.first;
    this.#live = options.first;
  }

  /** The draft with all edits, stored or not. */
  get draft(): Draft {
    return this.#live;
  }

  /** Some edits are not stored yet. */
  get isStoring(): boolean {
    return this.#pending.size > 0 || this.#writing.length > 0;
  }

  /** Why the browser does not store the draft; undefined: it does. */
  get problem(): StorageProblem | undefined {
    return this.#problem;
  }

  /** `read`: the loaded fields that the draft may not have yet. */
  edit(changes: Fields, read?: ServerState): void {
    const readAt = this.#known.newestSince(read?.revision ?? 0);
    for (const [field, to] of Object.entries(changes)) {
      const known = this.#live.mine[field];
      const from = known ?? read?.fields[field] ?? null;
      if (sameValue(from, to)) continue;
      this.#add({ field, from, to, readAt: read && known === undefined ? readAt : undefined });
    }
    this.#show();
    if (this.#flushing || this.#pending.size === 0) return;
    this.#flushing = true;
    void this.change((draft) => draft);
  }

  /** Continues the stored draft. If the loaded state is newer, the draft adopts it. */
  takeUp(loaded: ServerState): Promise<Draft> {
    return this.change((draft) => {
      return loaded.revision > draft.revision ? adopt(draft, loaded) : draft;
    });
  }

  adopt(loaded: ServerState): Promise<Draft> {
    this.#known.noteLoad(loaded.revision);
    return this.change((draft) => adopt(draft, loaded));
  }

  /** The server has taken `patch` on top of the revision `sentAt`. */
  acknowledge(patch: Fields, state: ServerState, sentAt: number): Promise<Draft> {
    this.#known.noteWrite(sentAt, state.revision);
    return this.change((draft) => acknowledge(draft, patch, state, sentAt));
  }

  /** Changes the stored draft, after the edits so far. Resolves to the stored draft. */
  change(change: (draft: Draft) => Draft): Promise<Draft> {
    const changed = this.#queue.then(() => this.#write(change));
    this.#queue = changed.catch(() => undefined);
    return changed;
  }

  async #write(change: (draft: Draft) => Draft): Promise<Draft> {
    const edits = [...this.#pending.values()];
    this.#pending.clear();
    this.#writing = edits;
    this.#flushing = false;
    const next = (draft: Draft) => change(this.#apply(draft, edits));
    let result = this.#stored;
    let written = false;
    try {
      await this.#options.store.update(this.#options.key, (stored) => {
        // If the store failed before, this tab's draft is newer.
        const current = this.#problem === undefined ? stored : undefined;
        result = next(current ?? this.#stored);
        // A draft without edits is not stored.
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
      this.#writing = [];
    }
    this.#show();
    if (written) this.#options.onWritten();
    return this.#stored;
  }

  /** Merges the edit with an earlier one of the field that waits to be written. */
  #add(edit: Edit): void {
    const earlier = this.#pending.get(edit.field);
    const { from, readAt } = earlier ?? edit;
    this.#pending.set(edit.field, { ...edit, from, readAt });
  }

  #show(): void {
    const writing = this.#apply(this.#stored, this.#writing);
    this.#live = this.#apply(writing, [...this.#pending.values()]);
    this.#options.onChange();
  }

  #apply(draft: Draft, edits: readonly Edit[]): Draft {
    return applyEdits(draft, edits, this.#options.now());
  }
}

/**
 * The consecutive revisions that only this tab has made. Data that was read at one of them is still
 * valid at the last, except for the tab's own writes.
 */
class KnownRevisions {
  #from: number;
  #to: number;

  constructor(revision: number) {
    this.#from = revision;
    this.#to = revision;
  }

  /** The newest revision at which the data are still valid. */
  newestSince(readAt: number): number {
    return readAt >= this.#from && readAt <= this.#to ? this.#to : readAt;
  }

  noteLoad(revision: number): void {
    if (revision !== this.#to) this.#restart(revision);
  }

  /** A write over `sentAt` made one revision, if it changed anything. */
  noteWrite(sentAt: number, revision: number): void {
    if (revision <= sentAt) return;
    if (sentAt !== this.#to) this.#restart(sentAt);
    this.#to = sentAt + 1;
  }

  #restart(revision: number): void {
    this.#from = revision;
    this.#to = revision;
  }
}
