import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeS3, openFakeS3 } from '../../../test/hosts/fake-s3.ts';
import type { BlobStore } from './blob-store.ts';
import { openS3BlobStore } from './s3-blob-store.ts';

let host: FakeS3;
let store: BlobStore;
let folder: string;

beforeEach(async () => {
  host = await openFakeS3();
  folder = await mkdtemp(join(tmpdir(), 'podstead-s3-'));
  store = await openS3BlobStore({
    ...{ endpoint: host.url, region: 'us-east-1', bucket: 'bucket', forcePathStyle: true },
    ...{ accessKeyId: 'key', secretAccessKey: 'secret', prefix: '', scratchDir: folder },
  });
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

it('clients of S3 that pause take no connection from the rest of the service', {
  timeout: 120_000,
}, async () => {
  await store.put('audio/a.mp3', Buffer.alloc(400_000, 1), 'audio/mpeg');
  const paused = [];
  while (paused.length < store.mostClients) {
    const some = Array.from({ length: 100 }, () => store.read('audio/a.mp3', undefined, 'client'));
    paused.push(...(await Promise.all(some)));
  }
  try {
    await store.check();
    const read = await (await store.read('audio/a.mp3')).toArray();
    expect(Buffer.concat(read)).toHaveLength(400_000);
  } finally {
    for (const body of paused) body.destroy();
  }
});
