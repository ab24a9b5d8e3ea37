import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { lastUser } from '../shell/signed-in-user.ts';

/** A copy of what the server last had of something that a person edits. */
export interface KeptCopy<T> {
  readonly userId: string;
  readonly subject: T;
}

interface Tables extends DBSchema {
  copies: { key: string; value: KeptCopy<unknown> };
}

const name = 'podstead-copies';

/** In browsers without storage there are no copies. */
async function attempt<T>(work: (db: IDBPDatabase<Tables>) => Promise<T>): Promise<T | undefined> {
  try {
    const db = await openDB<Tables>(name, 1, {
      upgrade: (made) => made.createObjectStore('copies'),
    });
    try {
      return await work(db);
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}

/** Stores a copy, so that an unsaved draft can be opened without a connection. */
export async function keepCopy(id: string, copy: KeptCopy<unknown>): Promise<void> {
  await attempt((db) => db.put('copies', copy, id));
}

export async function removeCopy(id: string): Promise<void> {
  await attempt((db) => db.delete('copies', id));
}

/** Null if the person who was signed in last has none. Copies of others are not returned. */
export async function findCopy<T>(id: string): Promise<KeptCopy<T> | null> {
  const copy = (await attempt((db) => db.get('copies', id))) as KeptCopy<T> | undefined;
  return copy?.userId === lastUser() ? (copy ?? null) : null;
}

export async function removeCopies(): Promise<void> {
  await attempt((db) => db.clear('copies'));
}
