import { createWriteBehind, type WriteBehind } from '../../../lib/write-behind.ts';
import type { Geo } from '../../../platform/geo/geo.ts';
import type { Context } from '../../foundation/context.ts';
import { recordKeyUses } from './record-key-uses.ts';

/**
 * Records from where keys are used, without delaying requests. Disposing writes what is still
 * noted.
 */
export interface KeyUseRecorder
  extends Pick<WriteBehind<never>, 'flush' | 'droppedCount'>,
    AsyncDisposable {
  /** Returns at once. The address stays only in this process's memory, and only for minutes. */
  note(keyId: string, ip: string): void;
}

interface NotedUse {
  readonly keyId: string;
  readonly ip: string;
  readonly at: Date;
}

const minuteMs = 60_000;
// Uses beyond this limit are not noted in their minute; a key in use is noted in the next.
const maxNotes = 20_000;

/** Create one for each process. It keeps the first use of a key from one address in each minute. */
export function createKeyUseRecorder(ctx: Context, geo: Geo): KeyUseRecorder {
  /** Holds key and address of each use noted in this minute, written or not. */
  const noted = new Set<string>();
  let minute = 0;
  const uses = createWriteBehind<NotedUse>({
    write: async (batch) => recordKeyUses(ctx, await Promise.all(batch.map(locate))),
    merge: (earlier) => earlier,
    maxBatch: 200,
    maxEntries: maxNotes,
    everyMs: 5_000,
    // Addresses must not wait longer for an unavailable database. A key in use is noted again.
    maxAgeMs: 2 * minuteMs,
    closeWithinMs: 2_000,
    report: ({ error, dropped, waiting }) =>
      ctx.log.warn({ err: error, dropped, waiting }, 'uses of keys could not be kept'),
  });

  async function locate({ keyId, ip, at }: NotedUse) {
    return { keyId, at, place: await geo.locate(ip) };
  }

  return {
    note(keyId, ip) {
      const current = Math.floor(ctx.clock.now().getTime() / minuteMs);
      if (current !== minute) noted.clear();
      minute = current;
      const name = `${keyId} ${ip}`;
      if (noted.has(name) || noted.size >= maxNotes) return;
      noted.add(name);
      uses.add(`${name} ${minute}`, { keyId, ip, at: new Date(minute * minuteMs) });
    },
    flush: () => uses.flush(),
    get droppedCount() {
      return uses.droppedCount;
    },
    [Symbol.asyncDispose]: () => uses[Symbol.asyncDispose](),
  };
}
