import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { gather } from '../../../test/contracts/blob-store.ts';
import { openFakeS3 } from '../../../test/hosts/fake-s3.ts';
import { hasS3, openTestS3Store } from '../../../test/s3-store.ts';
import {
  StoreProxy,
  sendUnchanged,
  storeFaults,
  storeRefusals,
} from '../../../test/store-proxy.ts';
import { type BlobStore, BlobStoreAwayError } from './blob-store.ts';
import type { BlobProgress } from './partial-blobs.ts';

const small = randomBytes(100_000);
/** More than one part. */
const large = randomBytes(8 * 1024 * 1024 + 1_000);
const prefix = `test-${randomUUID()}`;

/** A store behind a proxy of its own, and past the proxy. */
interface Broken extends AsyncDisposable {
  readonly proxy: StoreProxy;
  readonly store: BlobStore;
  readonly direct: BlobStore;
}

/** In front of the tests' store, or of one in memory, which needs no time. */
async function openBroken(target: 'real' | 'fake'): Promise<Broken> {
  await using opened = new AsyncDisposableStack();
  const scratchDir = await mkdtemp(join(tmpdir(), 'podstead-s3-faults-'));
  opened.defer(() => rm(scratchDir, { recursive: true }));
  const fake = target === 'fake' ? opened.use(await openFakeS3()) : undefined;
  const endpoint = fake?.url ?? process.env['TEST_S3_ENDPOINT'] ?? '';
  const proxy = opened.use(await StoreProxy.open(endpoint));
  const options = { scratchDir, prefix, ...(fake && { bucket: 'bucket', ...access }) };
  const direct = opened.use(await openTestS3Store({ ...options, endpoint }));
  const store = opened.use(await openTestS3Store({ ...options, endpoint: proxy.url }));
  await direct.put('there/small', small, 'audio/mpeg');
  const resources = opened.move();
  return { proxy, store, direct, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

const access = { accessKeyId: 'key', secretAccessKey: 'secret' };

interface Attempt {
  readonly run: () => Promise<unknown>;
  /** What a success must have stored. A failure may have stored it, but nothing else. */
  readonly wanted?: { readonly key: string; readonly bytes: Buffer };
}

const newKey = (name: string) => `${name}/${randomUUID()}`;
const expectBytes = (read: Buffer, bytes: Buffer) => expect(read.equals(bytes)).toBe(true);

/** Operations that send a file's bytes. */
async function writes({ store, direct }: Broken): Promise<Record<string, Attempt>> {
  const writing = (bytes: Buffer, run: (key: string) => Promise<unknown>): Attempt => {
    const key = newKey('written');
    return { run: () => run(key), wanted: { key, bytes } };
  };
  const begun = newKey('begun');
  const progress = await direct.partial.begin(begun, large.length);
  return {
    put: writing(small, (key) => store.put(key, small, 'audio/mpeg')),
    'put a stream in parts': writing(large, (key) =>
      store.put(key, Readable.from([large]), 'audio/mpeg'),
    ),
    copy: writing(small, (key) => store.copy('there/small', key, 'audio/mpeg')),
    'send a partial blob': {
      run: () => sendPartial(store, begun, progress),
      wanted: { key: begun, bytes: large },
    },
  };
}

async function sendPartial(store: BlobStore, key: string, begun: BlobProgress): Promise<void> {
  const totalBytes = large.length;
  let progress = begun;
  const record = async (now: BlobProgress) => {
    progress = now;
  };
  await store.partial.append({ key, totalBytes, progress, body: Readable.from([large]), record });
  await store.partial.finish({ key, totalBytes, progress });
}

/** All others; their results are compared. */
async function others({ store, direct }: Broken): Promise<Record<string, Attempt>> {
  const doomed = newKey('doomed');
  await direct.put(doomed, small, 'audio/mpeg');
  const runs: Record<string, () => Promise<unknown>> = {
    'begin a partial blob': () => store.partial.begin(newKey('begun'), 10),
    read: async () => expectBytes(await buffer(await store.read('there/small')), small),
    'read a range': async () => {
      const read = await buffer(await store.read('there/small', { start: 500, end: 90_000 }));
      expectBytes(read, small.subarray(500, 90_001));
    },
    withFile: () => store.withFile('there/small', async () => undefined),
    stat: async () => expect(await store.stat('there/small')).toEqual({ sizeBytes: 100_000 }),
    'stat of a missing blob': async () => expect(await store.stat(newKey('no'))).toBeUndefined(),
    delete: () => store.delete(doomed),
    list: async () => expect((await gather(store.list('there'))).flat()).toHaveLength(1),
    check: () => store.check(),
  };
  return Object.fromEntries(Object.entries(runs).map(([name, run]) => [name, { run }]));
}

/** The names of the operations that failed. Every failure must say that the store is away. */
async function tryAll(attempts: Record<string, Attempt>): Promise<string[]> {
  const failed: string[] = [];
  await Promise.all(
    Object.entries(attempts).map(async ([name, { run }]) => {
      const error = await run().then(
        () => undefined,
        (failure: unknown) => failure,
      );
      if (error === undefined) return;
      expect(error, name).toBeInstanceOf(BlobStoreAwayError);
      // Some stores repeat what was signed, and a token.
      expect(JSON.stringify((error as Error).cause)).not.toMatch(/secret-token|signed text/);
      failed.push(name);
    }),
  );
  return failed.sort();
}

/** What succeeded is in the store, and all that is there is whole. */
async function expectNothingHalf(
  { direct }: Broken,
  attempts: Record<string, Attempt>,
  failed: readonly string[],
): Promise<void> {
  for (const [name, { wanted }] of Object.entries(attempts)) {
    if (wanted === undefined) continue;
    const found = await direct.stat(wanted.key);
    if (found === undefined) expect(failed, name).toContain(name);
    else expectBytes(await buffer(await direct.read(wanted.key)), wanted.bytes);
  }
  expect(await readdir(direct.scratchDir)).toEqual([]);
}

describe.concurrent('a store that refuses everything', { timeout: 60_000 }, () => {
  const warned = vi.spyOn(console, 'warn');
  afterAll(() => warned.mockRestore());

  it.each(Object.entries(storeRefusals))(
    'every operation on a store that responds with %s fails as away in limited time, and works afterwards without a new client',
    async (_, refusal) => {
      await using broken = await openBroken('fake');
      const attempts = { ...(await writes(broken)), ...(await others(broken)) };
      broken.proxy.inject(refusal);
      expect(await tryAll(attempts)).toEqual(Object.keys(attempts).sort());
      broken.proxy.restore();
      expect(await tryAll(await others(broken))).toEqual([]);
      expect(warned).not.toHaveBeenCalled();
    },
  );
});

describe.skipIf(!hasS3)('a network that fails', { timeout: 60_000 }, () => {
  it.each(Object.entries(storeFaults))(
    'no operation through a network with %s damages a file, and reading works afterwards',
    async (_, fault) => {
      await using broken = await openBroken('real');
      const attempts = { ...(await writes(broken)), ...(await others(broken)) };
      broken.proxy.inject(fault);
      const failed = await tryAll(attempts);
      broken.proxy.restore();
      await expectNothingHalf(broken, attempts, failed);
      expectBytes(await buffer(await broken.store.read('there/small')), small);
    },
  );

  it('an operation whose first responses get lost succeeds, because its retries meet what the first attempts did', async () => {
    await using broken = await openBroken('real');
    const attempts = { ...(await writes(broken)), ...(await others(broken)) };
    // A part of it is sent from a file, once: its sender continues at the recorded position.
    const { 'send a partial blob': sent, ...retried } = attempts;
    const seen = new Set<string>();
    broken.proxy.inject(async (exchange) => {
      const request = `${exchange.request.method} ${exchange.request.url}`;
      const isRepeated = seen.has(request);
      seen.add(request);
      if (isRepeated) await sendUnchanged(exchange);
      else await storeFaults['a reset after the request was done'](exchange);
    });
    expect(await tryAll(retried)).toEqual([]);
    await expectNothingHalf(broken, retried, []);
    broken.proxy.restore();
    expect(await tryAll({ sent: sent as Attempt })).toEqual([]);
  });
});
