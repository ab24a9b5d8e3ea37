import { createWriteBehind, type WriteBehind } from '../../../lib/write-behind.ts';
import type { Geo, Place } from '../../../platform/geo/geo.ts';
import { appUrl } from '../../foundation/addresses.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { queueEmail } from '../../foundation/emails/index.ts';
import {
  deletePlacesSeenBefore,
  insertNewPlaces,
  lockUsedKeys,
  type PlaceUse,
  type UsedKey,
  updateLastUses,
  updatePlaces,
} from './key-uses.sql.ts';

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
      ctx.log.warn({ err: error, dropped, waiting }, 'failed to record uses of API keys'),
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

/** One use of a key: when and from where. */
interface RecordedUse {
  readonly keyId: string;
  /** Rounded down to the minute. */
  readonly at: Date;
  readonly place: Place;
}

const newAfterMs = 30 * 86_400_000;

/**
 * Stores when and from where keys were last used, in the given order. Emails the user of a key that
 * was in use before and is now used from a place not seen in the last thirty days.
 */
async function recordKeyUses(ctx: Context, recorded: readonly RecordedUse[]): Promise<void> {
  const uses = recorded.map(toPlaceUse);
  await transact(ctx, async (tx) => {
    const keyIds = [...new Set(uses.map(({ keyId }) => keyId))];
    const keys = new Map((await lockUsedKeys(tx.db, keyIds)).map((key) => [key.id, key]));
    // A key deleted with its user needs no record.
    const kept = uses.filter(({ keyId }) => keys.has(keyId));
    const forgotten = new Date(ctx.clock.now().getTime() - newAfterMs);
    await deletePlacesSeenBefore(tx.db, keyIds, forgotten);
    const unseen = new Set((await insertNewPlaces(tx.db, kept)).map(nameOf));
    await updatePlaces(tx.db, kept);
    await updateLastUses(tx.db, kept);
    const inUse = new Set([...keys.values()].filter((key) => key.wasInUse).map(({ id }) => id));
    for (const use of kept) {
      const key = keys.get(use.keyId);
      const isNew = unseen.delete(nameOf(use));
      if (isNew && key !== undefined && inUse.has(key.id)) await notifyOfNewPlace(tx, key, use);
      inUse.add(use.keyId);
    }
  });
}

function toPlaceUse({ keyId, at, place: { country, network } }: RecordedUse): PlaceUse {
  return { keyId, at, country, network: network?.split(' ', 1)[0] ?? null, networkName: network };
}

function nameOf({ keyId, country, network }: Pick<PlaceUse, 'keyId' | 'country' | 'network'>) {
  return [keyId, country, network].join(' ');
}

async function notifyOfNewPlace(tx: Context, key: UsedKey, { at, country, networkName }: PlaceUse) {
  const place = { name: key.userName, country, network: networkName, at };
  if (key.kind === 'site') {
    const values = { ...place, address: key.name, link: appUrl(tx.installation, 'sites') };
    await queueEmail(tx, { template: 'site-new-place', to: key.email, values });
    return;
  }
  const { name, lastFour } = key;
  const values = { ...place, key: name, lastFour, link: appUrl(tx.installation, 'keys') };
  await queueEmail(tx, { template: 'key-new-place', to: key.email, values });
}
