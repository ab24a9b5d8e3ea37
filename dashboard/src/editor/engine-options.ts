import type { Clock } from './clock.ts';
import type { ServerState } from './draft.ts';
import type { DraftServer, SaveMode } from './draft-server.ts';
import type { DraftKey, DraftStore } from './draft-store.ts';
import type { Check } from './refused-fields.ts';
import type { Tabs } from './tabs.ts';

export interface SaveEngineOptions {
  readonly key: DraftKey;
  /** The episode as it was just loaded. */
  readonly initial: ServerState;
  readonly mode: SaveMode;
  readonly server: DraftServer;
  readonly store: DraftStore;
  readonly tabs: Tabs;
  readonly clock: Clock;
  /** The problems of values that the browser can recognize; these are not sent. */
  readonly check?: Check | undefined;
}

/** The result of a request outside of the form. */
export type ActionResult<T> =
  | ({ readonly kind: 'done'; readonly value: T } & ServerState)
  | { readonly kind: 'conflict' };
