import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { browserClock } from './clock.ts';
import type { Draft } from './draft.ts';
import { type DraftKey, type DraftStore, StorageError } from './draft-store.ts';
import type { SaveEngineOptions } from './engine-options.ts';
import { readDraft } from './read-draft.ts';
import { SaveEngine } from './save-engine.ts';
import { openTabs } from './tabs.ts';

/** The rows are named after the first kind of drafts that were stored here. */
interface Tables extends DBSchema {
  drafts: {
    key: [userId: string, episodeId: string];
    value: { readonly userId: string; readonly episodeId: string; readonly draft: Draft };
  };
}

/** Stores drafts in IndexedDB. The database is opened with the first call. */
function createIdbDraftStore(name = 'podstead-drafts'): DraftStore {
  let opened: Promise<IDBPDatabase<Tables>> | undefined;
  const open = () => {
    opened ??= withLimit(
      openDrafts(name, () => {
        opened = undefined;
      }),
    );
    return opened;
  };
  const attempt = async <T>(work: (db: IDBPDatabase<Tables>) => Promise<T>): Promise<T> => {
    try {
      return await work(await open());
    } catch (error) {
      opened = undefined;
      throw asStorageError(error);
    }
  };
  return {
    update: (key, change) => attempt((db) => updateDraft(db, key, change)),
    removeIf: (key, condition) => attempt((db) => removeDraftIf(db, key, condition)),
    removeAll: (userId) => attempt((db) => db.delete('drafts', draftsOf(userId))),
    list: (userId) => attempt((db) => listDrafts(db, userId)),
  };
}

function openDrafts(name: string, onClosed: () => void): Promise<IDBPDatabase<Tables>> {
  return openDB<Tables>(name, 1, {
    upgrade(db) {
      db.createObjectStore('drafts', { keyPath: ['userId', 'episodeId'] });
    },
    // A newer version of the app wants to upgrade in another tab.
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
}

/** Some browsers never respond when their storage is broken; saving must not wait for them. */
function withLimit<T>(opening: Promise<T>): Promise<T> {
  const limit = new Promise<never>((_, reject) => {
    setTimeout(reject, mostOpeningMs, new Error('the browser does not open its storage'));
  });
  return Promise.race([opening, limit]);
}

const mostOpeningMs = 5_000;

async function updateDraft(
  db: IDBPDatabase<Tables>,
  { userId, subjectId: episodeId }: DraftKey,
  change: (stored: Draft | undefined) => Draft | undefined,
): Promise<void> {
  const transaction = db.transaction('drafts', 'readwrite');
  const stored = readDraft((await transaction.store.get([userId, episodeId]))?.draft);
  const draft = change(stored);
  if (draft !== undefined) await transaction.store.put({ userId, episodeId, draft });
  await transaction.done;
}

async function removeDraftIf(
  db: IDBPDatabase<Tables>,
  { userId, subjectId: episodeId }: DraftKey,
  condition: (stored: Draft) => boolean,
): Promise<void> {
  const transaction = db.transaction('drafts', 'readwrite');
  const stored = readDraft((await transaction.store.get([userId, episodeId]))?.draft);
  if (stored !== undefined && condition(stored)) {
    await transaction.store.delete([userId, episodeId]);
  }
  await transaction.done;
}

/** An array sorts after every string, so this range has all drafts of the person. */
const draftsOf = (userId: string) => IDBKeyRange.bound([userId], [userId, []]);

async function listDrafts(db: IDBPDatabase<Tables>, userId: string) {
  const rows = await db.getAll('drafts', draftsOf(userId));
  return rows.flatMap(({ episodeId, draft: kept }) => {
    const draft = readDraft(kept);
    return draft === undefined ? [] : [{ key: { userId, subjectId: episodeId }, draft }];
  });
}

function asStorageError(error: unknown): StorageError {
  const full = error instanceof DOMException && error.name === 'QuotaExceededError';
  return new StorageError(full ? 'full' : 'unavailable', error);
}

/** The storage of this browser, for all episodes. */
export const draftStore = createIdbDraftStore();

interface OpenedEngine {
  readonly engine: SaveEngine;
  /** Resolves when the engine has read the stored draft. */
  readonly started: Promise<void>;
  readonly leave: () => Promise<void>;
}

/** An engine in this browser. `leave` saves everything that may be saved, and ends it. */
export function openEngine(
  options: Pick<SaveEngineOptions, 'key' | 'initial' | 'mode' | 'server' | 'check'>,
): OpenedEngine {
  const { userId, subjectId } = options.key;
  const tabs = openTabs(`podstead-draft ${userId} ${subjectId}`);
  const engine = new SaveEngine({ ...options, store: draftStore, tabs, clock: browserClock });
  const unwatch = watchPage(engine);
  const started = engine.start();
  const leave = async () => {
    unwatch();
    await engine.flush();
    engine.close();
  };
  return { engine, started, leave };
}

/**
 * Tells the engine what happens to the page. A hidden page may never come back, so it is saved at
 * once. Returns a function that ends this.
 */
function watchPage(engine: Pick<SaveEngine, 'flush' | 'resume'>): () => void {
  const watching = new AbortController();
  const { signal } = watching;
  const flush = () => void engine.flush();
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') flush();
    },
    { signal },
  );
  window.addEventListener('pagehide', flush, { signal });
  window.addEventListener('online', () => void engine.resume(), { signal });
  return () => watching.abort();
}
