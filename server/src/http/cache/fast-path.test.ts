import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import inject from 'light-my-request';
import { describe, expect, it } from 'vitest';
import { alwaysFresh } from '../../platform/database/announcements/freshness.ts';
import { WriteTurns } from '../limits/write-turns.ts';
import { RequestCounts } from '../monitoring/request-counts.ts';
import { BodySender } from '../responses/body-sender.ts';
import { createPayload, type Payload } from '../responses/payload.ts';
import { CachedResponses } from './fast-path.ts';
import { Entry, PodcastCache } from './podcast-cache.ts';

const url = '/v1/podcasts/night-signals';

async function createEntry(text = 'x'.repeat(1_000)): Promise<Entry<Payload>> {
  const value = await createPayload('text/plain', text);
  return new Entry({ podcastId: 'p', value, validUntil: null, sizeBytes: value.totalBytes }, 0);
}

function create() {
  const clock = { ms: 0 };
  const limit = { left: 1_000_000 };
  const freshness = { ...alwaysFresh };
  const counts = new RequestCounts();
  const cache = new CachedResponses({
    nowMs: () => clock.ms,
    counts,
    consumeLimit: () => limit.left-- > 0,
    freshness,
    bodies: new BodySender(new WriteTurns(), { add: () => undefined }),
  });
  const get = (headers: Record<string, string> = {}) =>
    inject(
      async (request, response) => {
        const hasResponded = await cache.handle(request, response, randomUUID());
        if (!hasResponded) response.writeHead(404).end();
      },
      { url, headers },
    );
  return { cache, clock, limit, counts, freshness, get };
}

describe('CachedResponses', () => {
  it('responds in the requested coding, and with 304 to every form of the ETag', async () => {
    const { cache, get } = create();
    const entry = await createEntry();
    cache.remember(url, entry);
    const { identity, br } = entry.value.variants;
    for (const variant of [identity, br, identity]) {
      const coding = variant === br ? { 'accept-encoding': 'br' } : {};
      const whole = await get(coding);
      expect(whole.rawPayload).toEqual(Buffer.from(variant.body as string, 'latin1'));
      expect(whole.headers['etag']).toBe(variant.etag);
      expect(whole.headers['x-request-id']).toHaveLength(36);
      for (const etag of [identity.etag, br.etag, `"other", W/${br.etag}`, '*']) {
        const unchanged = await get({ ...coding, 'if-none-match': etag });
        expect([unchanged.statusCode, unchanged.body]).toEqual([304, '']);
        expect(unchanged.headers['etag']).toBe(variant.etag);
      }
      expect((await get({ ...coding, 'if-none-match': '"other"' })).statusCode).toBe(200);
    }
  });

  it('passes on requests whose response has changed or that exceed the limit', async () => {
    const { cache, counts, limit, get } = create();
    const entry = await createEntry();
    cache.remember(url, entry);
    limit.left = 1;
    expect([(await get()).statusCode, (await get()).statusCode]).toEqual([200, 404]);
    limit.left = 10;
    entry.drop();
    expect((await get()).statusCode).toBe(404);
    expect([...counts.entries()]).toEqual([{ group: 'api', status: 200, count: 1 }]);
  });

  it('responds if it is confirmed that nothing has changed, else passes it on', async () => {
    const { cache, freshness, get } = create();
    const entry = await createEntry();
    cache.remember(url, entry);
    freshness.isConfirmed = () => false;
    expect((await get()).statusCode).toBe(200);
    freshness.confirm = () => Promise.reject(new Error('away'));
    expect((await get()).statusCode).toBe(404);
    freshness.confirm = async () => entry.drop();
    expect((await get()).statusCode).toBe(404);
  });

  it('what is requested all the time stays in the cache, however many others are requested once', async () => {
    const { cache, clock, get } = create();
    const payloads = new PodcastCache<Payload>({ maxBytes: 20_000, nowMs: () => clock.ms });
    const keep = async (key: string) => {
      const value = await createPayload('text/plain', key);
      const computed = { podcastId: key, value, validUntil: null, sizeBytes: value.totalBytes };
      return payloads.get(key, async () => computed);
    };
    cache.remember(url, await keep('popular'));
    for (let n = 0; n < 20; n += 1) {
      clock.ms += 1_000;
      expect((await get()).statusCode, String(n)).toBe(200);
      await keep(`rare ${n}`);
    }
    expect([payloads.peek('rare 0'), payloads.peek('popular')]).toEqual([
      undefined,
      expect.anything(),
    ]);
  });

  it('CachedResponses does not keep a payload in memory that its cache has dropped', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { cache, get } = create();
    const kept = await createEntry();
    cache.remember('/kept', kept);
    const forgotten = await (async () => {
      const entry = await createEntry();
      cache.remember(url, entry);
      expect((await get()).statusCode).toBe(200);
      return new WeakRef(entry.value);
    })();
    for (let i = 0; i < 10 && forgotten.deref() !== undefined; i += 1) {
      await setImmediate();
      collectGarbage();
    }
    expect(forgotten.deref()).toBeUndefined();
    expect((await get()).statusCode).toBe(404);
    expect(kept.isLive(0)).toBe(true);
  });
});
