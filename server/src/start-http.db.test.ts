import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestContext } from '../test/create-test-context.ts';
import { freePort } from '../test/free-port.ts';
import type { BlobStore } from './platform/blob-store/blob-store.ts';
import { openDiskBlobStore } from './platform/blob-store/disk-blob-store.ts';
import { startHttp } from './start-http.ts';

it('a server starts although its file store never responds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'podstead-start-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(folder, { recursive: true }));
  const asked = Promise.withResolvers<void>();
  const never = () => {
    asked.resolve();
    return new Promise<never>(() => undefined);
  };
  const silent: Partial<BlobStore> = { stat: never, put: never, check: never };
  const disk = opened.use(await openDiskBlobStore(folder));
  const blobs = new Proxy(disk, {
    get: (target, name) => Reflect.get(silent, name) ?? Reflect.get(target, name),
  });
  const app = opened.use(await createTestContext({ PORT: String(await freePort()) }, { blobs }));
  const { url } = opened.use(await startHttp(app));
  await asked.promise;
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
