import type { Context } from '../../../domain/context.ts';
import { DomainError } from '../../../domain/errors.ts';
import { type FoundImport, getImport } from '../../../domain/imports/index.ts';
import type { EventStream } from './event-stream.ts';
import type { Follower } from './serve-events.ts';

/** An import that has ended may be taken up again. */
const pauseMs = { running: 1_000, ended: 5_000 };

type Listener = (found: FoundImport | undefined) => void;

/** One poll for each import that is watched, however many watch it. */
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

  /** False: nobody watches any more. */
  remove(listener: Listener): boolean {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return true;
    clearTimeout(this.#timer);
    return false;
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      let next = pauseMs.ended;
      try {
        const found = await getImport(this.#ctx, this.#importId);
        if (found.state === 'running') next = pauseMs.running;
        for (const listener of this.#listeners) listener(found);
      } catch (error) {
        if (error instanceof DomainError) {
          for (const listener of this.#listeners) listener(undefined);
        } else this.#ctx.log.warn({ err: error }, 'an import could not be read');
      }
      if (this.#listeners.size > 0) this.#later(next);
    }, ms).unref();
  }
}

/** Tells a stream how its user's import goes on: the whole import, whenever it has changed. */
export function followImport(
  ctx: Context,
  found: FoundImport,
  { stream, write }: { readonly stream: EventStream; readonly write: (of: FoundImport) => string },
): Follower {
  let told = '';
  const tell: Listener = (now) => {
    if (now === undefined) return stream.end();
    const text = write(now);
    if (text !== told) stream.send('import', text);
    told = text;
  };
  tell(found);
  const watch = watches.get(found.id) ?? new Watch(ctx, found.id);
  watches.set(found.id, watch);
  watch.add(tell);
  return {
    look: () => {},
    [Symbol.dispose]() {
      if (!watch.remove(tell)) watches.delete(found.id);
    },
  };
}
