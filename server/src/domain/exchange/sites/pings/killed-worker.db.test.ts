import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeCertificate } from '../../../../../test/hosts/certificate.ts';
import { openPingTest } from '../../../../../test/open-ping-test.ts';
import { type Program, startProgram } from '../../../../../test/start-program.ts';
import { schedulePing } from './index.ts';

const certificate = makeCertificate();
/** A worker starts slowly on a busy machine. */
const patience = { timeout: 50_000 };
const isOnServer = process.env['TEST_DATABASE'] === 'postgres';

// FAULT-4. The installed program, with its own DNS, trusted certificates and clock.
it.skipIf(certificate === undefined || !isOnServer)(
  'a ping whose worker was killed is sent by the next worker',
  async () => {
    await using pings = await openPingTest(certificate);
    const { databaseUrl = '', config, ctx, clock } = pings.test;
    clock.set(new Date());
    const authority = join(config.dataDir, 'authority.pem');
    await writeFile(authority, certificate?.cert ?? '');
    const start = (): Program =>
      startProgram(['worker'], {
        cwd: config.dataDir,
        env: {
          ...{ DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir, SECRET: 'x'.repeat(32) },
          ...{ NODE_EXTRA_CA_CERTS: authority, OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'warn' },
        },
      });
    const site = await pings.makeSite({
      restRoot: `https://127.0.0.1:${pings.host.port}/?rest_route=/`,
    });
    await pings.addChange(site);
    await schedulePing(ctx, site.id);
    pings.respond(() => undefined);
    const killed = start();
    try {
      await vi.waitUntil(() => pings.received.length === 1, patience);
    } finally {
      killed.child.kill('SIGKILL');
      await killed.ended;
    }
    const claimed = await pings.rows('select due_at, claim from site_pings');
    expect(claimed).toEqual([{ due_at: null, claim: expect.any(String) }]);
    pings.respond(undefined);
    const next = start();
    try {
      await vi.waitUntil(() => pings.received.length === 2, patience);
      await vi.waitFor(async () => {
        const told = await pings.rows('select due_at, claim, sent_seq from site_pings');
        expect(told).toEqual([{ due_at: null, claim: null, sent_seq: 1 }]);
      }, patience);
    } finally {
      next.child.kill('SIGTERM');
    }
    expect(await next.ended).toMatchObject({ code: 0, stderr: '' });
    expect(pings.received[1]).toMatchObject({
      path: '/?rest_route=/podstead/v1/ping',
      body: pings.received[0]?.body,
    });
  },
  150_000,
);
