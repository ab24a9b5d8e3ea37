import { expect, it, vi } from 'vitest';
import { makePodcast } from '../../../../test/make.ts';
import { openNotificationTest } from '../../../../test/open-notification-test.ts';
import { type Program, startProgram } from '../../../../test/start-program.ts';

/** A worker starts slowly on a busy machine. */
const patience = { timeout: 50_000 };
const isOnServer = process.env['TEST_DATABASE'] === 'postgres';

// FAULT-4, NOTIFY-10. The installed program, with its own clock.
it.skipIf(!isOnServer)(
  'what a killed worker was telling is told by the next one, and nothing twice in 30 seconds',
  async () => {
    await using feeds = await openNotificationTest({ BASE_URL: 'http://pods.test' });
    const { test, host, received } = feeds;
    test.clock.set(new Date());
    const start = (): Program =>
      startProgram(['worker'], {
        cwd: test.config.dataDir,
        env: {
          ...{ DATABASE_URL: test.databaseUrl ?? '', DATA_DIR: test.config.dataDir },
          ...{ SECRET: 'x'.repeat(32), OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'warn' },
          ...{ BASE_URL: 'http://pods.test', WEBSUB_HUBS: `${host.url}/hub` },
          ...{ PODCAST_INDEX: 'off', PODPING_TOKEN: 'a', PODPING_URL: `${host.url}/podping` },
        },
      });
    // The hub responds, and podping does not.
    feeds.respond((request, response) => {
      if (request.url === '/hub') response.end();
    });
    await makePodcast(test.ctx, { slug: 'night-signals' });
    const killed = start();
    try {
      await vi.waitUntil(() => received.length === 2, patience);
      await vi.waitFor(async () => {
        const told = await feeds.rows('select from feed_notifications where digest is not null');
        expect(told).toHaveLength(1);
      }, patience);
    } finally {
      killed.child.kill('SIGKILL');
      await killed.ended;
    }
    const claimed = await feeds.rows(
      'select channel, due_at from feed_notifications where claim is not null',
    );
    expect(claimed).toEqual([{ channel: 'podping', due_at: null }]);
    feeds.respond(undefined);
    const next = start();
    try {
      await vi.waitUntil(() => received.length === 3, patience);
      await vi.waitFor(async () => {
        const left = await feeds.rows(
          'select from feed_notifications where due_at is not null or claim is not null or digest is null',
        );
        expect(left).toEqual([]);
      }, patience);
    } finally {
      next.child.kill('SIGTERM');
    }
    expect(await next.ended).toMatchObject({ code: 0, stderr: '' });
    expect(received.map(({ path }) => path.slice(0, 4))).toEqual(
      expect.arrayContaining(['/hub', '/pod', '/pod']),
    );
  },
  150_000,
);
