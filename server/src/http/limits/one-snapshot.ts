import type { OpenSnapshot } from '../../domain/exchange/exports/index.ts';

/**
 * Opens one snapshot at a time: each has a connection of its own, or a second engine on a copy of the embedded
 * database. The next one waits until it is disposed.
 */
export function oneSnapshotAtATime({
  openSnapshot,
}: {
  readonly openSnapshot: OpenSnapshot;
}): OpenSnapshot {
  let last: Promise<void> = Promise.resolve();
  return async (tables) => {
    const before = last;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    last = promise;
    await before;
    try {
      const snapshot = await openSnapshot(tables);
      const dispose = async () => {
        try {
          await snapshot[Symbol.asyncDispose]();
        } finally {
          end();
        }
      };
      return { ...snapshot, [Symbol.asyncDispose]: dispose };
    } catch (error) {
      end();
      throw error;
    }
  };
}
