import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMailHost } from '../../server/test/hosts/mail-host.ts';
import { redisAvailable, testRedisUrl } from '../../server/test/hosts/redis.ts';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { Random } from '../fuzz/random.ts';
import { createBenchDatabase, postgresAvailable } from '../installation/bench-database.ts';
import type { Place } from '../installation/open-installation.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { openSlowHost } from './clients/import.ts';
import { Probe } from './clients/probe.ts';
import { FaultProxy, type NetworkFault, networkFaults } from './fault-proxy.ts';
import { Findings } from './findings.ts';
import { Fleet } from './fleet.ts';
import { inspectFiles } from './inspect.ts';
import { Load } from './load.ts';
import { describeFindings, seed } from './report.ts';
import { untilSaved } from './until-saved.ts';
import { makeFaultWorld } from './world.ts';

const cutSeconds = Number(process.env['FAULTS_CUT_SECONDS'] ?? 12);
const calmMs = 3_000;

type Target = 'database' | 'redis' | 'smtp';
/** By the documentation (`docs/operate.md`), and a busy machine's delay. */
const longestMs: Readonly<Record<Target, number>> = {
  database: 10_000 + 5_000,
  redis: 1_000 + 5_000,
  smtp: 5_000,
};

export const networkPart: Part = {
  name: 'network',
  about: `paths to the database, Redis and the mail server cut for FAULTS_CUT_SECONDS (${cutSeconds}), each in every way`,
  async measure(run) {
    if (!(await postgresAvailable())) {
      run.say('  no PostgreSQL server');
      return [];
    }
    return [await cutAll(run)];
  },
};

async function cutAll(run: Run): Promise<Group> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await makeTempFolder());
  const database = opened.use(await createBenchDatabase());
  const mail = opened.use(await openMailHost());
  const feeds = opened.use(await openSlowHost());
  const dataDir = join(folder.path, 'data');
  const place: Place = { dataDir, databaseUrl: database.url };
  const world = await makeFaultWorld(place, folder.path);
  const proxies = new Map<Target, FaultProxy>();
  const through = async (target: Target, url: string) => {
    const proxy = opened.use(await FaultProxy.open(url));
    proxies.set(target, proxy);
    return proxy.url;
  };
  const settings = {
    ...{ DATA_DIR: dataDir, WORKER: 'off' },
    DATABASE_URL: await through('database', database.url),
    SMTP_URL: await through('smtp', mail.url),
    ...((await redisAvailable()) && {
      REDIS_URL: await through('redis', testRedisUrl.split('?')[0] ?? ''),
    }),
  };
  const findings = new Findings(run.say);
  const logFile = process.env['FAULTS_LOG'] ?? join(folder.path, 'log');
  const fleet = opened.use(
    await Fleet.start({ kinds: ['serve', 'serve', 'worker'], logFile, settings }),
  );
  const over = new AbortController();
  const random = new Random(seed);
  const around = { fleet, world, random, findings, signal: over.signal };
  const load = new Load(around, { mail, feeds });
  const probe = new Probe(fleet, world);
  const figures: Figure[] = [];
  await sleep(calmMs * 2);
  const before = await fleet.residentBytes();
  const only = process.env['FAULTS_TARGET'];
  for (const [target, proxy] of proxies) {
    if (only !== undefined && only !== target) continue;
    for (const fault of networkFaults) {
      run.signal.throwIfAborted();
      run.say(`  ${target}: ${fault}, ${findings.problemCount} problems`);
      const cut = { target, fault, proxy, probe, fleet, findings };
      figures.push(...(await cutOnce(cut)));
    }
  }
  const after = await fleet.residentBytes();
  over.abort();
  await load.check(run.say);
  await probe.stop();
  run.say('    stopping');
  const stoppedMs = await fleet.stop();
  run.say('    comparing rows and files');
  await inspectFiles(place, findings);
  const described = describeFindings(`Networks that fail, seed ${seed}`, findings, [
    `${fleet.logLines} lines of log`,
    ...fleet.ended,
  ]);
  const memory = { unit: 'MB', aim: { atMost: 300 }, value: (after - before) / 1e6 } as const;
  return {
    ...described,
    figures: [
      ...described.figures,
      { name: 'growth of the resident memory of three processes', ...memory },
      { name: 'SIGTERM', unit: 'ms', value: stoppedMs, aim: { atMost: 10_000 } },
      ...figures,
    ],
  };
}

interface Cut {
  readonly target: Target;
  readonly fault: NetworkFault;
  readonly proxy: FaultProxy;
  readonly probe: Probe;
  readonly fleet: Fleet;
  readonly findings: Findings;
}

/** Cuts, ends it, and waits until saves succeed again. */
async function cutOnce({ target, fault, proxy, probe, fleet, findings }: Cut): Promise<Figure[]> {
  const name = `${target}, ${fault}`;
  await probe.untilWarm();
  probe.begin();
  findings.forgetLongest('a response');
  const logBefore = fleet.logLines;
  proxy.begin(fault);
  const savedBefore = findings.of('saves');
  await sleep(cutSeconds * 1_000);
  const savedMeanwhile = findings.of('saves') - savedBefore;
  await proxy.end();
  const cached = { reads: probe.reads, failed: probe.failed, slowestMs: probe.slowestMs };
  const recoveredMs = await untilSaved(findings);
  if (Number.isNaN(recoveredMs)) findings.problem(`${name}: no save succeeds afterwards`);
  await sleep(calmMs);
  const longest = findings.longest('a response');
  return [
    {
      ...{ name: `${name}: cached reads that failed`, unit: 'ratio' },
      // A silent database may have changes, so nothing is served that it can't confirm (0010).
      ...((target !== 'database' || fault === 'refuse') && { aim: { atMost: 0 } }),
      value: cached.failed,
      note: `of ${cached.reads}, longest ${Math.round(cached.slowestMs)} ms, ${savedMeanwhile} saves meanwhile`,
    },
    {
      name: `${name}: until saves succeed`,
      unit: 'ms',
      value: recoveredMs,
      aim: { atMost: 10_000 },
    },
    {
      ...{ name: `${name}: longest response`, unit: 'ms', value: longest },
      ...{
        aim: { atMost: longestMs[target] },
        note: `${findings.longestOf('a response')}; ${fleet.logLines - logBefore} lines of log`,
      },
    },
  ];
}
