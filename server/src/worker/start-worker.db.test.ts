import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../test/create-test-context.ts';
import { toneBytes, writeTestFeed } from '../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixtureIn } from '../../test/import-fixture.ts';
import { makeUser } from '../../test/make.ts';
import { patience } from '../../test/patience.ts';
import { isOnServer } from '../../test/which-database.ts';
import { createApp } from '../app.ts';
import { createConfig } from '../config/config.ts';
import { parseSettings, readEnvironment } from '../config/environment.ts';
import { requestImport, resumeImportsJob } from '../domain/exchange/imports/index.ts';
import { createBoss } from './job-queue.ts';
import { schedule } from './schedule.ts';
import { startWorker } from './start-worker.ts';

// Queues are made only by the first worker on a database, which takes longer than most tests here.
let shared: TestContext;
let one: Buffer;
beforeAll(async () => {
  shared = await createTestContext({ OUTBOUND_ALLOW: '127.0.0.0/8' });
  one = await toneBytes(1);
});
afterAll(() => shared[Symbol.asyncDispose]());

let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixtureIn(shared);
  const items = [{ guid: '1', title: 'One', audio: `${fixture.host.url}/1.mp3` }];
  fixture.host.serve('/feed.xml', writeTestFeed({ items }));
  fixture.host.serve('/1.mp3', one);
});
afterEach(async () => {
  // The next worker would continue with them.
  await fixture.rows('delete from imports');
  await fixture.rows('delete from pgboss.job');
  await fixture[Symbol.asyncDispose]();
});

class Crash extends Error {}

/** Leaves an import as if its process died before the audio. */
async function interruptImport() {
  const onProgress = ({ phase }: { phase: string }) => {
    if (phase === 'audio') throw new Crash();
  };
  await expect(fixture.run({ onProgress })).rejects.toThrow(Crash);
}

const importState = async () =>
  (await fixture.rows('select state, holder is not null as held from imports'))[0];
const isSettled = (state: unknown) =>
  vi.waitFor(async () => expect(await importState()).toEqual(state), patience);

/** Feeds that never begin. On a busy machine their requests may end, and those of others begin. */
class SilentFeeds {
  readonly #host: ImportFixture['host'];
  #open = 0;
  /** How many were requested at the same time. */
  mostOpen = 0;

  constructor(host: ImportFixture['host']) {
    this.#host = host;
  }

  serve(path: string): void {
    this.#host.respond(path, (_, response) => {
      this.#open += 1;
      this.mostOpen = Math.max(this.mostOpen, this.#open);
      response.once('close', () => {
        this.#open -= 1;
      });
    });
  }
}

describe('a worker', () => {
  it('resumes interrupted imports when it starts', async () => {
    await interruptImport();
    await using _worker = await startWorker(fixture.test);
    await isSettled({ state: 'finished', held: false });
    const [episode] = await fixture.rows(
      'select status from episodes join imports using (podcast_id)',
    );
    expect(episode).toEqual({ status: 'published' });
  });

  it('stops at once, and leaves its work to the next worker', async () => {
    await interruptImport();
    const requested = Promise.withResolvers<void>();
    fixture.host.respond('/1.mp3', () => requested.resolve());
    const worker = await startWorker(fixture.test);
    await requested.promise;
    await worker[Symbol.asyncDispose]();
    // Work that does not stop still holds its lease when the worker stops waiting.
    expect(await importState()).toEqual({ state: 'running', held: false });
    fixture.host.serve('/1.mp3', one);
    await using _next = await startWorker(fixture.test);
    await isSettled({ state: 'finished', held: false });
  });

  // The database makes no difference. That imports leave the session of the embedded one to others shows below.
  it.runIf(isOnServer)("leaves capacity for other owners' imports", async () => {
    await using _worker = await startWorker(fixture.test);
    const startImport = (userId: string, path: string) =>
      requestImport(fixture.test.contextFor({ kind: 'user', userId }), {
        ...{ url: `${fixture.host.url}${path}`, copyAudio: true, overwrite: false, dryRun: false },
      });
    const silent = new SilentFeeds(fixture.host);
    for (const path of ['/a.xml', '/b.xml', '/c.xml']) {
      silent.serve(path);
      await startImport(fixture.owner.id, path);
    }
    await vi.waitUntil(() => fixture.host.requested().length > 0, patience);
    const { id } = await startImport((await makeUser(fixture.test.ctx)).id, '/feed.xml');
    await vi.waitFor(async () => {
      const [state] = await fixture.rows('select state from imports where id = $1', [id]);
      expect(state).toEqual({ state: 'finished' });
    }, patience);
    expect(silent.mostOpen).toBe(1);
  });

  it('a worker begins new imports while long ones of any number of owners take turns', async () => {
    await using _worker = await startWorker(fixture.test);
    const startImport = async (path: string) => {
      const { id: userId } = await makeUser(fixture.test.ctx);
      return requestImport(fixture.test.contextFor({ kind: 'user', userId }), {
        ...{ url: `${fixture.host.url}${path}`, copyAudio: true, overwrite: false, dryRun: false },
      });
    };
    const long = ['/a.xml', '/b.xml', '/c.xml', '/d.xml'];
    for (const path of long) fixture.host.respond(path, () => undefined);
    for (const path of long) {
      const { id } = await startImport(path);
      // Its first turn is over.
      await fixture.rows(
        'update imports set attempts = 1, holder = null, lease_until = null where id = $1',
        [id],
      );
    }
    const { ctx } = fixture.test;
    await ctx.announcements.announceWork(ctx.db, resumeImportsJob.name);
    await vi.waitUntil(() => fixture.host.requested().length >= 2, patience);
    const { id } = await startImport('/feed.xml');
    await vi.waitFor(async () => {
      const [state] = await fixture.rows('select state from imports where id = $1', [id]);
      expect(state).toEqual({ state: 'finished' });
    }, patience);
  });

  it('a worker runs the imports of one account one after another, without a pause', async () => {
    await using _worker = await startWorker(fixture.test);
    const ctx = fixture.test.contextFor({ kind: 'user', userId: fixture.owner.id });
    for (const number of [1, 2, 3]) {
      await requestImport(ctx, {
        ...{ url: `${fixture.host.url}/feed.xml?${number}`, copyAudio: false },
        ...{ overwrite: false, dryRun: true },
      });
    }
    await vi.waitFor(async () => {
      const [found] = await fixture.rows(
        `select count(*)::int as ended from imports where state = 'finished'`,
      );
      expect(found).toEqual({ ended: 3 });
    }, patience);
  });

  // The embedded database has one process.
  it.runIf(isOnServer)("leaves places for others' imports in all processes together", async () => {
    await using _one = await startWorker(fixture.test);
    await using _other = await startWorker(fixture.test);
    const startImport = (userId: string, path: string) =>
      requestImport(fixture.test.contextFor({ kind: 'user', userId }), {
        ...{ url: `${fixture.host.url}${path}`, copyAudio: true, overwrite: false, dryRun: false },
      });
    const slow = ['a', 'b'].map((name) => [1, 2, 3, 4, 5].map((n) => `/${name}${n}.xml`));
    const silent = new SilentFeeds(fixture.host);
    for (const paths of slow) {
      const { id } = await makeUser(fixture.test.ctx);
      for (const path of paths) {
        silent.serve(path);
        await startImport(id, path);
      }
    }
    await vi.waitUntil(() => fixture.host.requested().length >= 2, patience);
    // Time to fill the other places: what is refused has no event.
    await setTimeout(500);
    const { id } = await startImport((await makeUser(fixture.test.ctx)).id, '/feed.xml');
    await vi.waitFor(async () => {
      const [state] = await fixture.rows('select state from imports where id = $1', [id]);
      expect(state).toEqual({ state: 'finished' });
    }, patience);
    expect(silent.mostOpen).toBe(2);
  });

  it('checks for them every minute', async () => {
    await using _worker = await startWorker(fixture.test);
    const rows = await fixture.rows<{ name: string; cron: string }>(
      'select name, cron from pgboss.schedule',
    );
    const expected = schedule.map(({ job, cron }) => [job.name, cron] as const);
    expect(rows).toHaveLength(expected.length);
    expect(new Map(rows.map(({ name, cron }) => [name, cron]))).toEqual(new Map(expected));
  });

  // RELEASE-7
  it('a worker removes schedules of older releases, and keeps those of newer ones', async () => {
    await (await startWorker(fixture.test))[Symbol.asyncDispose]();
    const boss = createBoss(fixture.test, new AbortController().signal);
    await boss.start();
    for (const [name, data] of Object.entries({
      'of-unknown': {},
      'of-old': { release: '0.0.9' },
      'of-new': { release: '999.0.0' },
    })) {
      await boss.createQueue(name);
      await boss.schedule(name, '0 0 * * *', data);
    }
    await boss.stop({ graceful: false, close: false });
    await using _worker = await startWorker(fixture.test);
    const left = `select name from pgboss.schedule where name like 'of-%'`;
    expect(await fixture.rows(left)).toEqual([{ name: 'of-new' }]);
    await fixture.rows(`delete from pgboss.schedule where name = 'of-new'`);
  });

  it('schedules and jobs wait no day after the clock was set back by one', async () => {
    await (await startWorker(fixture.test))[Symbol.asyncDispose]();
    const boss = createBoss(fixture.test, new AbortController().signal);
    await boss.start();
    const id = await boss.send('continue-import', { importId: 7 }, { startAfter: 86_400 });
    await boss.stop({ graceful: false, close: false });
    const tomorrow = "now() + interval '1 day'";
    await fixture.rows(`update pgboss.version set cron_on = ${tomorrow}, flow_on = ${tomorrow}`);
    await fixture.rows(`update pgboss.queue set maintain_on = ${tomorrow}`);
    await using _worker = await startWorker(fixture.test);
    await vi.waitFor(async () => {
      const [job] = await fixture.rows('select state::text from pgboss.job where id = $1', [id]);
      expect(job).toEqual({ state: 'completed' });
    }, patience);
    const late = await fixture.rows(
      `select cron_on as at from pgboss.version where greatest(cron_on, flow_on) > now()
      union all select maintain_on from pgboss.queue where maintain_on > now()`,
    );
    expect(late).toEqual([]);
  });

  it('a job of a dead process does not run on because the clock was set back', async () => {
    await (await startWorker(fixture.test))[Symbol.asyncDispose]();
    const boss = createBoss(fixture.test, new AbortController().signal);
    await boss.start();
    const id = await boss.send('continue-import', { importId: 7 });
    await boss.stop({ graceful: false, close: false });
    await fixture.rows(
      `update pgboss.job set state = 'active', started_on = now() + interval '1 day',
        heartbeat_on = now() + interval '1 day' where id = $1`,
      [id],
    );
    await using _worker = await startWorker(fixture.test);
    const [job] = await fixture.rows(
      'select heartbeat_on <= now() and started_on <= now() as "isPast" from pgboss.job where id = $1',
      [id],
    );
    expect(job).toEqual({ isPast: true });
  });

  it('a worker keeps a job that it cannot read', async () => {
    await (await startWorker(fixture.test))[Symbol.asyncDispose]();
    const boss = createBoss(fixture.test, new AbortController().signal);
    await boss.start();
    const id = await boss.send('continue-import', { importId: 7 });
    await boss.stop({ graceful: false, close: false });
    await using _worker = await startWorker(fixture.test);
    await vi.waitFor(async () => {
      const [job] = await fixture.rows(
        `select state::text from pgboss.job where name = 'continue-import' and id = $1`,
        [id],
      );
      expect(job).toEqual({ state: 'completed' });
    }, patience);
  });
});

// On a server, each has its own connections, as separate processes do.
describe.runIf(isOnServer)('several workers at once', () => {
  it('several workers at once create the queue together, and run every job once', async () => {
    await fixture.rows('drop schema if exists pgboss cascade');
    await interruptImport();
    await using opened = new AsyncDisposableStack();
    const settings = {
      ...{ DATABASE_URL: fixture.test.databaseUrl ?? '', SECRET: 'x'.repeat(32) },
      ...{ DATA_DIR: fixture.test.config.dataDir, OUTBOUND_ALLOW: '127.0.0.1' },
      LOG_LEVEL: 'silent',
    };
    const config = createConfig(parseSettings(readEnvironment(settings)));
    const apps = await Promise.all([1, 2, 3].map(() => createApp(config)));
    for (const app of apps) opened.use(app);
    const workers = await Promise.all(apps.map((app) => startWorker(app)));
    for (const worker of workers) opened.use(worker);
    await isSettled({ state: 'finished', held: false });
    expect(fixture.host.requested().filter((path) => path === '/1.mp3')).toHaveLength(1);
  });
});
