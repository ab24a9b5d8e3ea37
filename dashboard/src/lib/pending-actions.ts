/**
 * Deletions that wait, so that they can be undone. They survive a reload: they are stored in this
 * browser, and carried out at their time, when the page is left, or when the app is opened again.
 */
export interface PendingAction {
  readonly id: string;
  /** The name of its handler. */
  readonly kind: string;
  /** The input of the handler; only strings, because it is stored. */
  readonly values: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

type ActionHandler = (
  action: PendingAction,
  options: { readonly keepalive: boolean },
) => Promise<void>;

interface Options {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly now: () => number;
  readonly handlers: Readonly<Record<string, ActionHandler>>;
  /** A deletion that the server refused. */
  readonly onFailure: (action: PendingAction, error: unknown) => void;
}

const storageKey = 'podstead:pending';
/** Long enough to read the message and reach its button. */
export const undoMs = 10_000;

export interface PendingActions {
  add(action: Omit<PendingAction, 'dueAt'>): void;
  undo(id: string): void;
  /** The same array until something changes. */
  list(): readonly PendingAction[];
  subscribe(listener: () => void): () => void;
  /**
   * Call it when the page is left: waiting actions are sent now, and stay stored until they have
   * worked.
   */
  flush(): void;
}

export function createPendingActions(options: Options): PendingActions {
  const { storage, now, handlers, onFailure } = options;
  const listeners = new Set<() => void>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let actions = readStored(storage);

  const store = (next: readonly PendingAction[]) => {
    actions = next;
    storage.setItem(storageKey, JSON.stringify(next));
    for (const listener of [...listeners]) listener();
  };
  const remove = (id: string) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
    store(actions.filter((action) => action.id !== id));
  };
  const perform = async (action: PendingAction, keepalive = false) => {
    clearTimeout(timers.get(action.id));
    try {
      await handlers[action.kind]?.(action, { keepalive });
    } catch (error) {
      onFailure(action, error);
    }
    remove(action.id);
  };
  const wait = (action: PendingAction) => {
    timers.set(
      action.id,
      setTimeout(() => perform(action), Math.max(0, action.dueAt - now())),
    );
  };
  for (const action of actions) wait(action);

  return {
    add(given) {
      const action = { ...given, dueAt: now() + undoMs };
      store([...actions.filter(({ id }) => id !== action.id), action]);
      wait(action);
    },
    undo: remove,
    list: () => actions,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    flush() {
      const sent = actions.map((action) => ({ ...action, dueAt: now() }));
      store(sent);
      for (const action of sent) void perform(action, true);
    },
  };
}

function readStored(storage: Options['storage']): readonly PendingAction[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isAction) : [];
  } catch {
    return [];
  }
}

function isAction(value: unknown): value is PendingAction {
  if (typeof value !== 'object' || value === null) return false;
  const { id, kind, values, dueAt } = value as Partial<PendingAction>;
  const isKnown = typeof id === 'string' && typeof kind === 'string' && typeof dueAt === 'number';
  return isKnown && typeof values === 'object' && values !== null;
}
