import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeCertificate } from '../../../../../test/hosts/certificate.ts';
import { makeEpisode, makePodcast } from '../../../../../test/make.ts';
import { openWebhookTest } from '../../../../../test/open-webhook-test.ts';
import { startProgram } from '../../../../../test/start-program.ts';

const certificate = makeCertificate();
/** A worker starts slowly on a busy machine. */
const patience = { timeout: 50_000 };
const isOnServer = process.env['TEST_DATABASE'] === 'postgres';

// FAULT-4. The installed program, with its own DNS, trusted certificates and clock.
it.skipIf(certificate === undefined || !isOnServer)(
  'a delivery whose worker was killed is made by the next worker',
  async () => {
    await using hooks = await openWebhookTest(certificate);
    const { databaseUrl = '', config, ctx, clock } = hooks.test;
    clock.set(new Date());
    const authority = join(config.dataDir, 'authority.pem');
    await writeFile(authority, certificate?.cert ?? '');
    const start = () =>
      startProgram(['worker'], {
        cwd: config.dataDir,
        env: {
          ...{ DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir, SECRET: 'x'.repeat(32) },
          ...{ NODE_EXTRA_CA_CERTS: authority, OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'warn' },
        },
      });
    const podcast = await makePodcast(ctx);
    clock.advance(1);
    await hooks.makeWebhook(podcast, { url: `https://127.0.0.1:${hooks.host.port}/hook` });
    await makeEpisode(ctx, podcast);
    hooks.respond(() => undefined);
    const killed = start();
    try {
      await vi.waitUntil(() => hooks.received.length === 1, patience);
    } finally {
      killed.child.kill('SIGKILL');
      await killed.ended;
    }
    const claimed = await hooks.rows('select due_at, claim from webhooks');
    expect(claimed).toEqual([{ due_at: null, claim: expect.any(String) }]);
    hooks.respond(undefined);
    const next = start();
    try {
      await vi.waitUntil(() => hooks.received.length === 2, patience);
      await vi.waitFor(async () => {
        const ended = await hooks.rows('select state, attempts, status from webhook_deliveries');
        expect(ended).toEqual([{ state: 'delivered', attempts: 2, status: 204 }]);
      }, patience);
    } finally {
      next.child.kill('SIGTERM');
    }
    expect(await next.ended).toMatchObject({ code: 0, stderr: '' });
    expect(hooks.received[1]?.told).toMatchObject({
      id: hooks.received[0]?.told.id,
      type: 'episode.published',
    });
  },
  150_000,
);
