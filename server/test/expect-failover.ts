import { expect, vi } from 'vitest';
import type { FailoverInstallation } from './failover-installation.ts';
import type { FailoverLoad } from './failover-load.ts';
import type { Exchange } from './hosts/database-pair.ts';
import { untilWritable } from './hosts/until-writable.ts';
import { patience } from './patience.ts';

/** The aim is two seconds; a busy machine is slower. */
const recoveryLimitMs = 10_000;
const savesBefore = 20;
const savesAfter = 20;

/** Exchanges the servers under load: whatever was acknowledged remains, and background work goes on. */
export async function expectToSurvive(
  installation: FailoverInstallation,
  how: Exchange,
): Promise<void> {
  const load = await installation.createLoad();
  load.start({ readsPerSecond: 150, rangesPerSecond: 20 });
  try {
    await exchangeUnder(load, installation, how);
  } finally {
    await load.stop();
  }
}

async function exchangeUnder(
  load: FailoverLoad,
  installation: FailoverInstallation,
  how: Exchange,
): Promise<void> {
  const { pair } = installation;
  // On a slow machine, all saves can be done before the first page is.
  await vi.waitUntil(() => load.hasReadAll && load.savedAtMs.length >= savesBefore, patience);
  const writable = untilWritable(pair.standby);
  await pair.exchange(how);
  const writableAtMs = await writable;
  const [promoted] = await pair.primary.query<{ at: string }>('select now()::text as at');
  await vi.waitUntil(() => load.firstSaveAfter(writableAtMs) !== undefined, patience);
  const recoveredMs = load.firstSaveAfter(writableAtMs) ?? Number.POSITIVE_INFINITY;
  const enough = load.savedAtMs.length + savesAfter;
  await vi.waitUntil(() => load.savedAtMs.length >= enough, patience);
  await load.stop();
  expect(recoveredMs).toBeLessThan(recoveryLimitMs);
  await expectNothingLost(installation, load);
  // Saves leave work behind.
  await vi.waitFor(async () => {
    expect(await installation.countJobs(promoted?.at ?? '')).toBeGreaterThan(0);
  }, patience);
}

async function expectNothingLost(
  installation: FailoverInstallation,
  load: FailoverLoad,
): Promise<void> {
  // Cached responses are served without the database; audio comes from the disk.
  expect(new Set(load.reads)).toEqual(new Set([200]));
  expect(load.undelivered).toBe(0);
  // Whatever wasn't saved was refused, as if the database could not be reached.
  expect([...load.refusals.keys()].filter((status) => status !== 503)).toEqual([]);
  const titles = await installation.readTitles();
  for (const { id, acknowledged, tried } of load.saves) {
    expect(titles.get(id)).toBeGreaterThanOrEqual(acknowledged);
    expect(titles.get(id)).toBeLessThanOrEqual(tried);
  }
  await vi.waitFor(async () => {
    expect(await installation.countDownloads()).toBe(installation.countDelivered());
  }, patience);
}
