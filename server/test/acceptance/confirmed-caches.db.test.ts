import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tables } from '../../src/domain/foundation/database.ts';
import { type Episode, updateEpisode } from '../../src/domain/publishing/episodes/index.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { DatabaseProxy } from '../database-proxy.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { patience } from '../patience.ts';
import { testDatabaseUrl } from '../postgres-available.ts';

// Caches of a process that receives no changes. Only a database server allows two processes.
const onServer = process.env['TEST_DATABASE'] === 'postgres';

let opened: AsyncDisposableStack;
/** Makes the changes; connected to the database directly. */
let writer: TestApp;
/** Connected to the database through the proxy. */
let reader: TestApp;
let proxy: DatabaseProxy;
let warnings: string[];
let episode: Episode;

beforeEach(async () => {
  if (!onServer) return;
  opened = new AsyncDisposableStack();
  warnings = [];
  const log = {
    info: () => undefined,
    warn: (_: object, message: string) => void warnings.push(message),
    error: () => undefined,
  };
  writer = opened.use(await createTestApp());
  const by = await DatabaseProxy.open(writer.databaseUrl ?? '');
  proxy = opened.use(by.proxy);
  const options = { kind: 'server', url: by.url, poolSize: 3, log } as const;
  const database = opened.use(await openDatabase<Tables>(options));
  reader = opened.use(await createTestApp({}, { database, clock: writer.clock }));
  episode = await makeEpisode(writer.ctx, await makePodcast(writer.ctx), { title: 'First' });
  await isListening();
  expect(await shown()).toBe('First');
});
afterEach(async () => {
  vi.restoreAllMocks();
  if (onServer) await opened.disposeAsync();
});

const look = () => reader.request({ url: `/v1/episodes/${episode.id}` });
const shown = async () => (await look()).json().data?.title;
const change = (title: string) => updateEpisode(writer.ctx, episode.id, { title });
const seen = (title: string) => vi.waitFor(async () => expect(await shown()).toBe(title), patience);

/** Resolves when the reader has received a notification of a change. */
async function isListening(): Promise<void> {
  await vi.waitFor(async () => {
    const heard = Promise.withResolvers<void>();
    const stop = reader.ctx.announcements.subscribe({
      onChange: () => undefined,
      onGap: () => undefined,
      onWork: () => heard.resolve(),
    });
    await writer.ctx.announcements.announceWork(writer.ctx.db, 'hello');
    const timer = setTimeout(() => heard.reject(new Error('nothing heard')), 500);
    await heard.promise.finally(() => clearTimeout(timer));
    stop();
  }, patience);
}

describe.runIf(onServer)('a process whose listening connection breaks', () => {
  // REQ-24
  it('a process whose listening connection breaks sees every change without a new one', async () => {
    proxy.refuse('listening');
    for (const title of ['Second', 'Third', 'Fourth']) {
      await change(title);
      await seen(title);
    }
    proxy.restore();
    await isListening();
    await change('Fifth');
    await seen('Fifth');
  });

  it('a process whose listening connection breaks sees every change, and detects a silent break', async () => {
    proxy.swallow('listening');
    await change('Second');
    await seen('Second');
    await vi.waitFor(
      () => expect(warnings).toContain('lost the connection for changes of other processes'),
      patience,
    );
    await change('Third');
    await seen('Third');
    proxy.restore();
    await isListening();
  });

  it('a process whose listening connection breaks sees every change by new connections if all fall silent', async () => {
    proxy.fallSilent();
    await change('Second');
    const { freshness } = reader.ctx.announcements;
    await vi.waitUntil(() => !freshness.isConfirmed(), { ...patience, interval: 1_000 });
    await freshness.confirm();
    await seen('Second');
    await isListening();
  });
});

describe.runIf(onServer)('a process without its database', () => {
  it('serves cached responses for a minute, then 503, and new data after the outage', async () => {
    const beginMs = performance.now();
    proxy.refuse('all');
    await vi.waitFor(() => expect(warnings).toContain('cached data cannot be confirmed'), patience);
    await change('Second');
    const now = vi.spyOn(performance, 'now');
    // The last confirmation may be seconds older than the test on a busy machine.
    now.mockReturnValue(beginMs + 50_000);
    expect(await shown()).toBe('First');
    now.mockReturnValue(beginMs + 61_000);
    expect((await look()).statusCode).toBe(503);
    now.mockRestore();
    proxy.restore();
    await seen('Second');
  });

  it('serves nothing from caches while connections are silent', async () => {
    await seen('First');
    proxy.swallow('all');
    await change('Second');
    await vi.waitFor(async () => expect((await look()).statusCode).toBe(503), patience);
    expect((await look()).statusCode).toBe(503);
    proxy.restore();
    await seen('Second');
  });

  it('serves nothing from caches while the database refuses it', async () => {
    // New connections are refused, and the connection that confirms caches is closed.
    const name = new URL(writer.databaseUrl ?? '').pathname.slice(1);
    const operator = new pg.Client(testDatabaseUrl);
    await operator.connect();
    await operator.query(`alter database ${name} allow_connections false`);
    proxy.cut();
    await vi.waitFor(async () => expect((await look()).statusCode).toBe(503), patience);
    await operator.query(`alter database ${name} allow_connections true`);
    await operator.end();
    await seen('First');
  });
});
