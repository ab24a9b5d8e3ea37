import type { SaveMode } from '../../src/editor/draft-server.ts';
import type { Check } from '../../src/editor/refused-fields.ts';
import { SaveEngine } from '../../src/editor/save-engine.ts';
import type { Tabs } from '../../src/editor/tabs.ts';
import { FakeClock } from './fake-clock.ts';
import type { FakeServer } from './fake-server.ts';
import { MemoryDraftStore } from './memory-draft-store.ts';

export const key = { userId: 'ann', subjectId: 'pilot' };

export interface Tab {
  readonly engine: SaveEngine;
  isAlive: boolean;
}

/** A browser with tabs that show the same episode. Its tabs share a store, locks and messages. */
export class FakeBrowser {
  readonly clock = new FakeClock();
  readonly store = new MemoryDraftStore();
  readonly tabs: Tab[] = [];
  readonly #server: FakeServer;
  readonly #listeners = new Map<Tab, () => void>();
  #lock: Promise<unknown> = Promise.resolve();

  readonly #check: Check | undefined;

  constructor(server: FakeServer, check?: Check) {
    this.#server = server;
    this.#check = check;
  }

  /** Opens a tab, which has just loaded the episode. */
  async open(mode: SaveMode = 'auto'): Promise<SaveEngine> {
    const tab = { isAlive: true } as { engine: SaveEngine; isAlive: boolean };
    const isAlive = () => tab.isAlive;
    tab.engine = new SaveEngine({
      key,
      mode,
      initial: this.#server.form,
      server: this.#server.connect(isAlive),
      store: this.#storeOf(isAlive),
      tabs: this.#tabsOf(tab),
      clock: this.clock,
      check: this.#check,
    });
    this.tabs.push(tab);
    void tab.engine.start();
    await settle();
    return tab.engine;
  }

  /** The tab ends as in a crash: its code stops, and its locks are released. */
  async kill(index: number): Promise<void> {
    const [tab] = this.tabs.splice(index, 1);
    if (tab === undefined) return;
    tab.isAlive = false;
    tab.engine.close();
    this.#listeners.delete(tab);
    this.#release.get(tab)?.();
    await settle();
  }

  readonly #release = new Map<Tab, () => void>();

  #storeOf(isAlive: () => boolean) {
    const { store } = this;
    const never = new Promise<never>(() => {});
    return Object.assign(Object.create(store) as MemoryDraftStore, {
      update: (...args: Parameters<MemoryDraftStore['update']>) =>
        isAlive() ? store.update(...args) : never,
    });
  }

  #tabsOf(tab: Tab): Tabs {
    return {
      exclusively: async (work) => {
        const before = this.#lock;
        let release = () => {};
        this.#lock = new Promise<void>((resolve) => {
          release = resolve;
        });
        this.#release.set(tab, release);
        await before;
        try {
          return await work();
        } finally {
          release();
        }
      },
      announce: () => {
        for (const [other, listener] of this.#listeners) {
          if (other !== tab && other.isAlive) queueMicrotask(listener);
        }
      },
      onAnnounced: (listener) => this.#listeners.set(tab, listener),
      close: () => this.#listeners.delete(tab),
    };
  }
}

/** Waits until everything has run that needs neither a timer nor a response. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
