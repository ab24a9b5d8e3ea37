import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Draft } from './draft.ts';
import { type DraftKey, type DraftStore, StorageError } from './draft-store.ts';
import { readDraft } from './read-draft.ts';

/** The rows are named after the first kind of drafts that were stored here. */
interface Tables extends DBSchema {
  drafts: {
    key: [userId: string, episodeId: string];
    value: { readonly userId: string; readonly episodeId: string; readonly draft: Draft };
  };
}

/** Stores drafts in IndexedDB. The database is opened with the first call. */
export function createIdbDraftStore(name = 'podstead-drafts'): DraftStore {
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

/** Some browsers never answer when their storage is broken; saving must not wait for them. */
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

async function listDrafts(db: IDBPDatabase<Tables>, userId: string) {
  // An array sorts after every string, so this range has all drafts of the person.
  const rows = await db.getAll('drafts', IDBKeyRange.bound([userId], [userId, []]));
  return rows.flatMap(({ episodeId, draft: kept }) => {
    const draft = readDraft(kept);
    return draft === undefined ? [] : [{ key: { userId, subjectId: episodeId }, draft }];
  });
}

function asStorageError(error: unknown): StorageError {
  const full = error instanceof DOMException && error.name === 'QuotaExceededError';
  return new StorageError(full ? 'full' : 'unavailable', error);
}
