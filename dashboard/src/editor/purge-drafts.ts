import { type Draft, isClean } from './draft.ts';
import type { DraftServer } from './draft-server.ts';
import type { DraftStore } from './draft-store.ts';
import { sameValue } from './fields.ts';

interface PurgeOptions {
  readonly userId: string;
  readonly store: DraftStore;
  /** Undefined: the server's state is not loaded. */
  readonly serverOf: (subjectId: string) => Pick<DraftServer, 'load'> | undefined;
  readonly now: number;
}

/**
 * Removes drafts that nobody has changed for 30 days and that equal the server's state. All others
 * stay, because their text is nowhere else.
 */
export async function purgeDrafts({ userId, store, serverOf, now }: PurgeOptions): Promise<void> {
  const old = (await store.list(userId)).filter(({ draft }) => isOld(draft, now));
  const unsaved = old
    .filter(({ draft }) => !isClean(draft))
    .flatMap(({ key, draft }) => {
      const server = serverOf(key.subjectId);
      return server === undefined ? [] : [{ key, draft, server }];
    })
    .slice(0, mostLoads);
  for (const { key } of old) {
    await store.removeIf(key, (stored) => isOld(stored, now) && isClean(stored));
  }
  for (const { key, draft, server } of unsaved) {
    const result = await server.load(Object.keys(draft.mine));
    if (result.kind !== 'loaded') continue;
    const { fields } = result;
    const says = Object.entries(draft.mine).every(([name, value]) => {
      return sameValue(fields[name], value);
    });
    if (says)
      await store.removeIf(
        key,
        (stored) => isOld(stored, now) && stored.editedAt === draft.editedAt,
      );
  }
}

function isOld({ editedAt }: Draft, now: number): boolean {
  return now - editedAt > oldAfterMs;
}

const oldAfterMs = 30 * 24 * 60 * 60 * 1000;
/** The most drafts in one run; the next run does the rest. */
const mostLoads = 20;
