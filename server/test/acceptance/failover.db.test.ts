import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type FailoverInstallation, openFailoverInstallation } from '../failover-installation.ts';
import type { FailoverLoad } from '../failover-load.ts';
import { hasPostgresPrograms, type PostgresServer } from '../hosts/postgres-server.ts';
import { patience } from '../patience.ts';
import { isOnServer } from '../which-database.ts';

// A service on two database servers loses one of them under load.

vi.setConfig({ testTimeout: 300_000 });

/** The aim is two seconds; a busy machine is slower. */
const recoveryLimitMs = 10_000;
const savesBefore = 20;
const savesAfter = 20;

describe.runIf(isOnServer && hasPostgresPrograms)('a service on two database servers', () => {
  let installation: FailoverInstallation;
  let counted = 0;

  beforeAll(async () => {
    installation = await openFailoverInstallation();
  });
  afterAll(() => installation?.[Symbol.asyncDispose]());

  /** Exchanges the servers under load. `exchange` resolves when the new primary accepts writes. */
  async function expectToSurvive(to: PostgresServer, exchange: () => Promise<void>): Promise<void> {
    const load = await installation.createLoad();
    load.start({ readsPerSecond: 150, rangesPerSecond: 20 });
    await vi.waitUntil(() => load.savedAtMs.length >= savesBefore, patience);
    await exchange();
    const promotedAtMs = performance.now();
    const [promoted] = await to.query<{ at: string }>('select now()::text as at');
    await vi.waitUntil(() => load.firstSaveAfter(promotedAtMs) !== undefined, patience);
    const recoveredMs = load.firstSaveAfter(promotedAtMs) ?? Number.POSITIVE_INFINITY;
    const enough = load.savedAtMs.length + savesAfter;
    await vi.waitUntil(() => load.savedAtMs.length >= enough, patience);
    await load.stop();
    expect(recoveredMs).toBeLessThan(recoveryLimitMs);
    await expectNothingLost(load, to);
    // Background work goes on, too: saves leave work behind.
    await vi.waitFor(async () => {
      expect(await installation.countJobs(to, promoted?.at ?? '')).toBeGreaterThan(0);
    }, patience);
  }

  async function expectNothingLost(load: FailoverLoad, primary: PostgresServer): Promise<void> {
    // Cached responses are served without the database; audio comes from the disk.
    expect(new Set(load.reads)).toEqual(new Set([200]));
    expect(load.undelivered).toBe(0);
    // Whatever wasn't saved was refused, as if the database could not be reached.
    expect([...load.refusals.keys()].filter((status) => status !== 503)).toEqual([]);
    const titles = await installation.readTitles(primary);
    for (const { id, acknowledged, tried } of load.saves) {
      expect(titles.get(id)).toBeGreaterThanOrEqual(acknowledged);
      expect(titles.get(id)).toBeLessThanOrEqual(tried);
    }
    counted += load.delivered;
    await vi.waitFor(async () => {
      expect(await installation.countDownloads(primary)).toBe(counted);
    }, patience);
  }

  // DB-4, DB-6
  it('a service survives that its primary is killed, and loses nothing that it acknowledged', async () => {
    const [first, second] = installation.servers;
    await expectToSurvive(second, async () => {
      await first.kill();
      await second.promote();
    });
  });

  // DB-4
  it('a service survives a switchover back, after which the old primary is a standby', async () => {
    const [first, second] = installation.servers;
    await first.follow(second);
    await expectToSurvive(first, async () => {
      await second.stop();
      await first.promote();
      await second.rejoin(first);
    });
  });
});
