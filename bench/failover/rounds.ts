import { setTimeout as sleep } from 'node:timers/promises';
import type { FailoverInstallation } from '../../server/test/failover-installation.ts';
import type { FailoverLoad } from '../../server/test/failover-load.ts';
import type { Exchange } from '../../server/test/hosts/database-pair.ts';
import { untilWritable } from '../../server/test/hosts/until-writable.ts';
import type { Group, Run } from '../bench.ts';
import { describeRounds } from './figures.ts';

const rounds = Number(process.env['BENCH_FAILOVER_ROUNDS'] ?? 5);
const rates = { readsPerSecond: 160, rangesPerSecond: 20 };
const beforeMs = 5_000;
const afterMs = 5_000;
const patienceMs = 60_000;

/** A time under load in which a server was lost, and what came of it. */
export interface Loaded {
  readonly load: FailoverLoad;
  /** Episodes whose last acknowledged save the primary does not have. */
  readonly lost: number;
}

/** The same, when the servers were exchanged. */
export interface Round extends Loaded {
  /** From the kill, or the order to exchange the servers, until the new primary accepts writes. */
  readonly promotionMs: number;
  /** From then to the first acknowledged save. */
  readonly recoveryMs: number;
}

/** Exchanges the servers several times, whoever promotes them. */
export async function measureRounds(
  installation: FailoverInstallation,
  how: Exchange,
  run: Run,
): Promise<Group> {
  const results: Round[] = [];
  const beganAtMs = performance.now();
  for (let n = 1; n <= rounds; n += 1) {
    run.signal.throwIfAborted();
    run.say(`  ${how} ${n} of ${rounds}`);
    results.push(await measureRound(installation, how));
  }
  const seconds = (performance.now() - beganAtMs) / 1_000;
  const requests = results.reduce((sum, { load }) => sum + load.requests, 0);
  const isExact = await countsExactly(installation);
  return {
    title: `${rounds} × ${how}, ${requests} requests in ${Math.round(seconds)} s`,
    ...describeRounds(results, {
      ...{ isExact, isSilent: how === 'freeze', requestsPerSecond: requests / seconds },
    }),
  };
}

async function measureRound(installation: FailoverInstallation, how: Exchange): Promise<Round> {
  const { pair } = installation;
  let promotionMs = Number.NaN;
  let recoveryMs = Number.NaN;
  const loaded = await loadDuring(installation, async (load) => {
    const writable = untilWritable(pair.standby);
    const endedAtMs = performance.now();
    await pair.exchange(how);
    const writableAtMs = await writable;
    promotionMs = writableAtMs - endedAtMs;
    recoveryMs = await waitForSave(load, writableAtMs);
    // What the lost server needs to come back happens under load, too.
    await pair.restore();
  });
  return { ...loaded, promotionMs, recoveryMs };
}

/** Puts the service under load, some seconds before and after `loss`, too. */
export async function loadDuring(
  installation: FailoverInstallation,
  loss: (load: FailoverLoad) => Promise<void>,
): Promise<Loaded> {
  const load = await installation.createLoad();
  load.start(rates);
  try {
    await sleep(beforeMs);
    await loss(load);
    await sleep(afterMs);
  } finally {
    await load.stop();
  }
  const titles = await installation.readTitles();
  const lost = load.saves.filter(({ id, acknowledged }) => (titles.get(id) ?? -1) < acknowledged);
  return { load, lost: lost.length };
}

async function waitForSave(load: FailoverLoad, sinceMs: number): Promise<number> {
  for (;;) {
    const afterMs = load.firstSaveAfter(sinceMs);
    if (afterMs !== undefined) return afterMs;
    if (performance.now() - sinceMs > patienceMs) throw new Error('no save succeeds');
    await sleep(20);
  }
}

/** Whether as many downloads are counted as were delivered. */
export async function countsExactly(installation: FailoverInstallation): Promise<boolean> {
  const endAtMs = performance.now() + patienceMs;
  for (;;) {
    const counted = await installation.countDownloads();
    const delivered = installation.countDelivered();
    if (counted >= delivered || performance.now() > endAtMs) return counted === delivered;
    await sleep(500);
  }
}
