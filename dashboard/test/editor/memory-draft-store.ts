import type { Draft } from '../../src/editor/draft.ts';
import {
  type DraftKey,
  type DraftStore,
  StorageError,
  type StorageProblem,
} from '../../src/editor/draft-store.ts';

/** The storage of a browser, which survives its tabs. */
export class MemoryDraftStore implements DraftStore {
  readonly #rows = new Map<string, { readonly key: DraftKey; readonly draft: Draft }>();
  problem: StorageProblem | undefined;

  async update(
    key: DraftKey,
    change: (stored: Draft | undefined) => Draft | undefined,
  ): Promise<void> {
    await Promise.resolve();
    if (this.problem !== undefined) throw new StorageError(this.problem, 'as the test says');
    const draft = change(structuredClone(this.peek(key)));
    if (draft !== undefined) this.#rows.set(nameOf(key), { key, draft: structuredClone(draft) });
    await Promise.resolve();
  }

  async removeIf(key: DraftKey, condition: (stored: Draft) => boolean): Promise<void> {
    const stored = this.peek(key);
    if (stored !== undefined && condition(stored)) this.#rows.delete(nameOf(key));
  }

  async removeAll(userId: string): Promise<void> {
    for (const { key } of await this.list(userId)) this.#rows.delete(nameOf(key));
  }

  async list(userId: string) {
    return [...this.#rows.values()].filter(({ key }) => key.userId === userId);
  }

  peek(key: DraftKey): Draft | undefined {
    return this.#rows.get(nameOf(key))?.draft;
  }
}

const nameOf = ({ userId, subjectId }: DraftKey) => JSON.stringify([userId, subjectId]);
