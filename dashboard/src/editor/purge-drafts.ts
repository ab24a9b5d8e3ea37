import { type Draft, isClean } from './draft.ts';
import type { DraftStore } from './draft-store.ts';
import type { EpisodeServer } from './episode-server.ts';
import { sameValue } from './fields.ts';

interface PurgeOptions {
  readonly userId: string;
  readonly store: DraftStore;
  readonly serverOf: (episodeId: string) => Pick<EpisodeServer, 'load'>;
  readonly now: number;
}

/**
 * Removes drafts that nobody touched for 30 days and that say what the server says. All others stay:
 * their words are nowhere else.
 */
export async function purgeDrafts({ userId, store, serverOf, now }: PurgeOptions): Promise<void> {
  const old = (await store.list(userId)).filter(({ draft }) => isOld(draft, now));
  const unsaved = old.filter(({ draft }) => !isClean(draft)).slice(0, mostLoads);
  for (const { key } of old) {
    await store.removeIf(key, (stored) => isOld(stored, now) && isClean(stored));
  }
  for (const { key, draft } of unsaved) {
    const result = await serverOf(key.episodeId).load();
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
/** In one go; the next one takes the rest. */
const mostLoads = 20;
