import { type FoundImport, getImport } from '../../../domain/exchange/imports/index.ts';
import type { Context } from '../../../domain/foundation/context.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { EventStream } from './event-stream.ts';
import type { Follower, SendEvents } from './serve-events.ts';

/** Imports are polled after they have ended too, because they may be continued. */
const pauseMs = { running: 1_000, ended: 5_000 };

type Listener = (found: FoundImport | undefined) => Promise<void>;

/** By import id. Streams of one import share one poll. */
const watches = new Map<string, Watch>();

class Watch {
  readonly #ctx: Context;
  readonly #importId: string;
  readonly #listeners = new Set<Listener>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Context, importId: string) {
    this.#ctx = ctx;
    this.#importId = importId;
  }

  add(listener: Listener): void {
    this.#listeners.add(listener);
    this.#later(pauseMs.running);
  }

  /** Returns false if there is no listener left. */
  remove(listener: Listener): boolean {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return true;
    clearTimeout(this.#timer);
    return false;
  }

  async #notify(found: FoundImport | undefined): Promise<void> {
    await Promise.all([...this.#listeners].map((listener) => listener(found)));
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      let next = pauseMs.ended;
      try {
        const found = await getImport(this.#ctx, this.#importId);
        if (found.state === 'running') next = pauseMs.running;
        await this.#notify(found);
      } catch (error) {
        if (error instanceof DomainError) await this.#notify(undefined);
        else if (this.#listeners.size > 0)
          this.#ctx.log.warn({ err: error }, 'an import could not be read');
      }
      if (this.#listeners.size > 0) this.#later(next);
    }, ms).unref();
  }
}

interface Reader {
  readonly stream: EventStream;
  readonly sendEvents: SendEvents;
  readonly write: (of: FoundImport) => string;
}

/** Sends the whole import to a stream whenever it has changed. */
export function streamImport(
  ctx: Context,
  found: FoundImport,
  { stream, sendEvents, write }: Reader,
): Follower {
  let sent = write(found);
  stream.send({ name: 'import', data: sent });
  const listener: Listener = async (now) => {
    if (now === undefined) return stream.end();
    const text = write(now);
    if (text === sent) return;
    await sendEvents([{ name: 'import', data: text }]);
    sent = text;
  };
  const watch = watches.get(found.id) ?? new Watch(ctx, found.id);
  watches.set(found.id, watch);
  watch.add(listener);
  return {
    look: () => {},
    [Symbol.dispose]() {
      if (!watch.remove(listener)) watches.delete(found.id);
    },
  };
}
