/** Messages in the corner. The code that draws them is loaded with the first one. */
export interface Message {
  readonly text: string;
  /** For example Undo. */
  readonly action?: { readonly label: string; readonly act: () => void };
}

interface Options {
  /** In milliseconds; without it the message stays until it is closed. */
  readonly timeout?: number;
}
type Take = (message: Message, options: Options) => void;

/** The shortest time in which a person can read and reach a message. */
const shownMs = 8_000;

const waiting: [Message, Options][] = [];
const listeners = new Set<() => void>();
let take: Take | undefined;

/** Shows a message. Failures stay until they are closed. */
export function showMessage(message: Message, { stays = false }: { stays?: boolean } = {}): void {
  const options = stays ? {} : { timeout: shownMs };
  if (take !== undefined) {
    take(message, options);
    return;
  }
  waiting.push([message, options]);
  for (const listener of listeners) listener();
}

/** For the code that draws messages: passes it the waiting ones, and all after them. */
export function takeMessages(taker: Take): void {
  take = taker;
  for (const [message, options] of waiting.splice(0)) taker(message, options);
}

/** For useSyncExternalStore: whether there was any message yet. */
export const hadMessage = (): boolean => take !== undefined || waiting.length > 0;
export function subscribeToMessages(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
