import { setTimeout as sleep } from 'node:timers/promises';
import {
  type FailoverInstallation,
  type FailoverOptions,
  openFailoverInstallation,
} from '../../server/test/failover-installation.ts';
import type { FailoverLoad } from '../../server/test/failover-load.ts';
import { hasPgBouncer, PgBouncer } from '../../server/test/hosts/pgbouncer.ts';
import {
  hasPostgresPrograms,
  type PostgresServer,
} from '../../server/test/hosts/postgres-server.ts';
import type { Bench, Figure, Group, Run } from '../bench.ts';
import { median } from '../median.ts';

const rounds = Number(process.env['BENCH_FAILOVER_ROUNDS'] ?? 5);
const rates = { readsPerSecond: 160, rangesPerSecond: 20 };
const beforeMs = 5_000;
const afterMs = 5_000;
const patienceMs = 60_000;

/** A service whose database servers are exchanged under load. */
export const failoverBench: Bench = {
  name: 'failover',
  about: 'two database servers, one of them lost: refusals, losses, time until the first save',
  parts: [
    {
      name: 'kill',
      about: `${rounds} times the primary is killed, and the standby promoted`,
      measure: (run) => measure('kill', run),
    },
    {
      name: 'switchover',
      about: `${rounds} times the primary is stopped, the standby promoted, and the old one is its standby`,
      measure: (run) => measure('switchover', run),
    },
    {
      name: 'poolers',
      about: 'kill, with a PgBouncer in transaction mode before each server',
      measure: measureBehindPoolers,
    },
  ],
};

type Exchange = 'kill' | 'switchover';

interface Round {
  readonly load: FailoverLoad;
  /** From the kill or stop to the first acknowledged save. */
  readonly outageMs: number;
  /** From the moment at which the new primary accepts writes. */
  readonly recoveryMs: number;
  readonly lost: number;
}

/** Poolers don't say whether others can still write, so caches are served only for a second. */
async function measureBehindPoolers(run: Run): Promise<readonly Group[]> {
  if (!hasPgBouncer) {
    run.say('  no PgBouncer here');
    return [];
  }
  await using poolers = new AsyncDisposableStack();
  const settings = ['server_connect_timeout = 2', 'query_wait_timeout = 3'];
  const urlOf = async (servers: readonly PostgresServer[]) => {
    const hosts: string[] = [];
    for (const server of servers) {
      const target = server.urlOf('postgres');
      const pooler = poolers.use(await PgBouncer.start(target, 'transaction', settings));
      hosts.push(new URL(pooler.urlOf('postgres')).host);
    }
    return `postgres://postgres@${hosts.join(',')}/podstead`;
  };
  return await measure('kill', run, { urlOf });
}

async function measure(
  kind: Exchange,
  run: Run,
  options: FailoverOptions = {},
): Promise<readonly Group[]> {
  if (!hasPostgresPrograms) {
    run.say('  no PostgreSQL here');
    return [];
  }
  await using installation = await openFailoverInstallation(options);
  let [primary, standby] = installation.servers;
  const results: Round[] = [];
  const beganAtMs = performance.now();
  let loadedMs = 0;
  for (let n = 1; n <= rounds; n += 1) {
    run.signal.throwIfAborted();
    run.say(`  round ${n} of ${rounds}`);
    const fromMs = performance.now();
    results.push(await exchange(installation, kind, primary, standby));
    loadedMs += performance.now() - fromMs;
    if (kind === 'kill') await primary.follow(standby);
    [primary, standby] = [standby, primary];
  }
  const seconds = Math.round((performance.now() - beganAtMs) / 1_000);
  const delivered = results.reduce((sum, { load }) => sum + load.delivered, 0);
  const counted = await waitForCount(installation, primary, delivered);
  const requests = results.reduce((sum, { load }) => sum + load.requests, 0);
  const title = `${rounds} × ${kind}, ${requests} requests in ${seconds} s`;
  const rate = (requests * 1_000) / loadedMs;
  const figures = describe(results, counted === delivered, rate, options.urlOf === undefined);
  return [{ title, figures, remarks: [describeRefusals(results)] }];
}

async function exchange(
  installation: FailoverInstallation,
  kind: Exchange,
  primary: PostgresServer,
  standby: PostgresServer,
): Promise<Round> {
  const load = await installation.createLoad();
  load.start(rates);
  await sleep(beforeMs);
  const endedAtMs = performance.now();
  if (kind === 'kill') await primary.kill();
  else await primary.stop();
  await standby.promote();
  const promotedAtMs = performance.now();
  if (kind === 'switchover') await primary.rejoin(standby);
  while (load.firstSaveAfter(promotedAtMs) === undefined) {
    if (performance.now() - promotedAtMs > patienceMs) throw new Error('no save succeeds');
    await sleep(20);
  }
  await sleep(afterMs);
  await load.stop();
  const titles = await installation.readTitles(standby);
  const lost = load.saves.filter(({ id, acknowledged }) => (titles.get(id) ?? -1) < acknowledged);
  const recoveryMs = load.firstSaveAfter(promotedAtMs) ?? Number.NaN;
  const outageMs = promotedAtMs - endedAtMs + recoveryMs;
  return { load, outageMs, recoveryMs, lost: lost.length };
}

async function waitForCount(
  installation: FailoverInstallation,
  primary: PostgresServer,
  delivered: number,
): Promise<number> {
  const endAtMs = performance.now() + patienceMs;
  for (;;) {
    const counted = await installation.countDownloads(primary);
    if (counted >= delivered || performance.now() > endAtMs) return counted;
    await sleep(500);
  }
}

/** `areBridged`: whether caches are to be served until there is a primary again. */
function describe(
  results: readonly Round[],
  isExact: boolean,
  rate: number,
  areBridged: boolean,
): Figure[] {
  const recoveries = results.map(({ recoveryMs }) => recoveryMs);
  const reads = results.flatMap(({ load }) => load.reads);
  const sum = (of: (round: Round) => number) =>
    results.reduce((total, round) => total + of(round), 0);
  return [
    { name: 'requests a second', value: rate, unit: 'ratio' },
    {
      ...{ name: 'first save after the new primary accepts writes, longest', unit: 'ms' },
      ...{ value: Math.max(...recoveries), aim: { atMost: 2_000 } },
    },
    { name: 'the same, median', value: median(recoveries), unit: 'ms' },
    {
      ...{ name: 'from the end of the old primary to the first save, longest', unit: 'ms' },
      value: Math.max(...results.map(({ outageMs }) => outageMs)),
    },
    {
      ...{ name: 'cached reads that succeeded', unit: 'ratio' },
      ...(areBridged && { aim: { atLeast: 1 } }),
      value: reads.filter((status) => status === 200).length / reads.length,
    },
    {
      ...{ name: 'longest read', unit: 'ms' },
      value: Math.max(...results.map(({ load }) => load.slowestReadMs)),
    },
    {
      ...{ name: 'episodes that lost an acknowledged save', unit: 'ratio', aim: { atMost: 0 } },
      value: sum(({ lost }) => lost),
    },
    {
      ...{ name: 'ranges of audio that were not delivered', unit: 'ratio' },
      ...(areBridged && { aim: { atMost: 0 } }),
      value: sum(({ load }) => load.undelivered),
    },
    {
      ...{ name: 'counted downloads are those delivered (1: yes)', unit: 'ratio' },
      ...{ value: isExact ? 1 : 0, aim: { atLeast: 1 } },
    },
  ];
}

function describeRefusals(results: readonly Round[]): string {
  const saves = results.reduce((sum, { load }) => sum + load.savedAtMs.length, 0);
  const refusals = new Map<number, number>();
  for (const { load } of results) {
    for (const [status, count] of load.refusals)
      refusals.set(status, (refusals.get(status) ?? 0) + count);
  }
  const list = [...refusals].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none';
  return `${saves} saves were acknowledged; refused: ${list}`;
}
