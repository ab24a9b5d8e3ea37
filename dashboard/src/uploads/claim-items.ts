import type { ItemStore } from './item-store.ts';

const lockOf = (id: string) => `podstead-upload-${id}`;

/**
 * The store without the uploads of other tabs of this browser. Uploads that this tab adds belong to
 * it until it is closed. Browsers without locks (they need https or localhost) share everything;
 * the server lets only one tab write.
 */
export async function claimItems(store: ItemStore): Promise<ItemStore> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return store;
  const held = new Set((await locks.query()).held?.map(({ name }) => name));
  const releases = new Map<string, () => void>();
  const claim = (id: string) => {
    if (releases.has(id)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    releases.set(id, resolve);
    void locks.request(lockOf(id), () => promise);
  };
  return {
    list: () => store.list().filter(({ id }) => !held.has(lockOf(id))),
    put(upload) {
      claim(upload.id);
      store.put(upload);
    },
    remove(id) {
      store.remove(id);
      releases.get(id)?.();
      releases.delete(id);
    },
  };
}
