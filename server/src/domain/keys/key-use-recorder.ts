import type { Geo } from '../../platform/geo/geo.ts';
import type { Context } from '../context.ts';
import { recordKeyUses } from './record-key-uses.ts';

/** Takes note of what keys are used from, beside the requests. Disposing keeps what is noted. */
export interface KeyUseRecorder extends AsyncDisposable {
  /** Returns at once. The address stays in this process's memory, and there not for long. */
  note(keyId: string, ip: string): void;
}

interface NotedUse {
  readonly keyId: string;
  readonly ip: string;
  readonly at: Date;
}

const minuteMs = 60_000;
const writeAfterMs = 5_000;
// What is beyond this is not noted in its minute; a key in use will be in the next.
const mostNotes = 20_000;
const batchSize = 200;

/** One for each process. Of the uses of a key from one address in one minute the first is kept. */
export function createKeyUseRecorder(ctx: Context, geo: Geo): KeyUseRecorder {
  /** By key and address: the minute of it. */
  const noted = new Map<string, number>();
  let waiting: NotedUse[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = waiting;
    waiting = [];
    const current = minuteOf(ctx);
    for (const [name, minute] of noted) if (minute < current) noted.delete(name);
    writing = writing.then(() => keep(ctx, geo, uses));
    return writing;
  }

  return {
    note(keyId, ip) {
      const name = `${keyId} ${ip}`;
      const minute = minuteOf(ctx);
      if (noted.get(name) === minute || (noted.size >= mostNotes && !noted.has(name))) return;
      noted.set(name, minute);
      waiting.push({ keyId, ip, at: new Date(minute * minuteMs) });
      timer ??= setTimeout(write, writeAfterMs).unref();
    },
    [Symbol.asyncDispose]: write,
  };
}

function minuteOf({ clock }: Context): number {
  return Math.floor(clock.now().getTime() / minuteMs);
}

/** Never rejects: what cannot be kept now is noted again when the key is used again. */
async function keep(ctx: Context, geo: Geo, uses: readonly NotedUse[]): Promise<void> {
  try {
    for (let begin = 0; begin < uses.length; begin += batchSize) {
      const batch = uses.slice(begin, begin + batchSize).map(async ({ keyId, ip, at }) => {
        return { keyId, at, place: await geo.locate(ip) };
      });
      await recordKeyUses(ctx, await Promise.all(batch));
    }
  } catch (error) {
    ctx.log.warn({ err: error }, 'uses of keys could not be kept');
  }
}
