import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makeAudioRequest, makeShow, type Show } from '../../../../../test/downloads.ts';
import { propertyRuns } from '../../../../../test/property-runs.ts';
import { newId } from '../../../../lib/uuid.ts';
import { ingestBatches } from '../ingest-requests.ts';
import { recount } from '../recount.ts';
import { markHash, mostListenersOf } from './crowds.ts';

const most = { address: 2, site: 3 };
const realMost = { ...mostListenersOf };
const neededBytes = 240;
const today = '2026-03-10';

let test: TestContext;
beforeAll(async () => {
  Object.assign(mostListenersOf, most);
  test = await createTestContext();
});
afterAll(async () => {
  Object.assign(mostListenersOf, realMost);
  await test[Symbol.asyncDispose]();
});

/** One address alone, and three of one site. */
const networks = [undefined, '1', '2', '3'] as const;
interface Piece {
  readonly listener: number;
  readonly file: number;
  readonly start: number;
  readonly bytes: number;
}
const piece = fc.record({
  listener: fc.nat(15),
  file: fc.constantFrom(0, 0, 0, 1),
  start: fc.constantFrom(0, 2, 30, 120),
  bytes: fc.constantFrom(1, 3, 30, 120, 240),
});
const batches = fc.array(fc.array(piece, { minLength: 4, maxLength: 12 }), {
  minLength: 1,
  maxLength: 3,
});

const networkOf = ({ listener }: Piece) => networks[listener % networks.length];
const crowdsOf = (one: Piece) => {
  const network = networkOf(one);
  return network === undefined
    ? [{ key: 'alone', most: most.address }]
    : [
        { key: network, most: most.address },
        { key: 'site', most: most.site },
      ];
};

/** Says which requests are accepted, from all that came before. */
class Model {
  readonly #bytes = new Map<string, Set<number>>();
  readonly #stages = new Map<number, number>();
  readonly #listeners = new Map<number, Piece>();

  get downloads(): number {
    return [...this.#stages.values()].filter((stage) => stage === 3).length;
  }

  accept(one: Piece): boolean {
    const key = `${one.listener} ${one.file}`;
    const bytes = new Set(this.#bytes.get(key));
    for (let at = one.start; at < one.start + one.bytes; at += 1) bytes.add(at);
    const reached = [4, 60, 240].filter((least) => bytes.size >= least).length;
    const before = this.#stages.get(one.listener) ?? -1;
    const stage = Math.max(before, reached);
    const hasRoom = (crowd: { key: string; most: number }) =>
      this.#count(crowd.key, stage) < crowd.most;
    if (stage > before && !crowdsOf(one).every(hasRoom)) return false;
    this.#bytes.set(key, bytes);
    this.#stages.set(one.listener, stage);
    this.#listeners.set(one.listener, one);
    return true;
  }

  #count(crowd: string, stage: number): number {
    return [...this.#listeners].filter(
      ([listener, one]) =>
        this.#stages.get(listener) === stage && crowdsOf(one).some(({ key }) => key === crowd),
    ).length;
  }
}

function toRequest(show: Show, one: Piece) {
  const network = networkOf(one);
  const digits = (network ?? '0').repeat(16);
  return makeAudioRequest(test.ctx, show, {
    listener: String(one.listener).padStart(32, '0'),
    addressHash: markHash(digits, network === undefined ? undefined : 'ab'.repeat(8)),
    file: String(one.file).repeat(16),
    neededBytes,
    audio: [{ start: one.start, end: one.start + one.bytes - 1 }],
  });
}

async function storedOf({ podcastId }: Show) {
  const all = async (text: string) => (await test.database.pool.query(text, [podcastId])).rows;
  return {
    receipts:
      await all(`select encode(listener, 'hex') as listener, file, audio, counted from download_listeners
      where podcast_id = $1 order by 1, 2`),
    days: await all('select downloads, listeners from podcast_download_days where podcast_id = $1'),
  };
}

describe('places of listeners', () => {
  // COUNT-24
  it('places are the same in whatever batches requests come, and in a recount', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batches, { minLength: 2, maxLength: 4 }), async (transactions) => {
        const show = await makeShow(test.ctx);
        const model = new Model();
        for (const pieces of transactions) {
          const refused = pieces.flat().filter((one) => !model.accept(one)).length;
          const given = pieces.map((some) => ({
            id: newId(),
            requests: some.map((one) => toRequest(show, one)),
          }));
          const { rejected } = await ingestBatches(test.ctx, () => given);
          expect(rejected.too_many_listeners ?? 0).toBe(refused);
        }
        const stored = await storedOf(show);
        const counted = stored.receipts.filter(({ counted }) => counted);
        expect(new Set(counted.map(({ listener }) => listener)).size).toBe(model.downloads);
        await recount(test.ctx, { from: today, to: today });
        expect(await storedOf(show)).toEqual(stored);
      }),
      { numRuns: propertyRuns(30) },
    );
  });
});
