import type { Changes } from '../platform/database/changes.ts';

interface Droppable {
  drop(podcastId: string): void;
  dropAll(): void;
}

/** Drops changed podcasts from caches, and everything if changes may have been missed. */
export function dropOnChange<Tables>(
  changes: Changes<Tables>,
  caches: readonly Droppable[],
): () => void {
  return changes.subscribe({
    onChange: (podcastId) => {
      for (const cache of caches) cache.drop(podcastId);
    },
    onGap: () => {
      for (const cache of caches) cache.dropAll();
    },
  });
}
