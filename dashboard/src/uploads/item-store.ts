import type { StoredUpload } from './upload-item.ts';

/** Stores uploads, so that they survive a reload. */
export interface ItemStore {
  list(): StoredUpload[];
  put(upload: StoredUpload): void;
  remove(id: string): void;
}

const prefix = 'podstead:upload:';

/** One entry for each upload, so that two tabs do not overwrite each other. */
export function createItemStore(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & { readonly length: number } & {
    key(index: number): string | null;
  },
  userId: string,
): ItemStore {
  return {
    list() {
      const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
      return keys
        .filter((key) => key.startsWith(prefix))
        .flatMap((key) => tryParse(storage.getItem(key)))
        .filter((upload) => upload.userId === userId);
    },
    put(upload) {
      // If there is no room, the upload continues, but a reload loses it.
      try {
        storage.setItem(prefix + upload.id, JSON.stringify(upload));
      } catch {}
    },
    remove: (id) => storage.removeItem(prefix + id),
  };
}

function tryParse(text: string | null): StoredUpload[] {
  try {
    const upload: StoredUpload | null = JSON.parse(text ?? 'null');
    return upload === null ? [] : [upload];
  } catch {
    return [];
  }
}
