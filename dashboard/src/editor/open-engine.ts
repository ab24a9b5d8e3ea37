import { browserClock } from './clock.ts';
import type { SaveEngineOptions } from './engine-options.ts';
import { createIdbDraftStore } from './idb-draft-store.ts';
import { SaveEngine } from './save-engine.ts';
import { openTabs } from './tabs.ts';
import { watchPage } from './watch-page.ts';

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
