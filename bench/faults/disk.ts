import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMailHost } from '../../server/test/hosts/mail-host.ts';
import {
  hasPostgresPrograms,
  PostgresServer,
  serverUser,
} from '../../server/test/hosts/postgres-server.ts';
import { runCommand } from '../backups/run-command.ts';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { Random } from '../fuzz/random.ts';
import type { Place } from '../installation/open-installation.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { openSlowHost } from './clients/import.ts';
import { Probe } from './clients/probe.ts';
import { Findings } from './findings.ts';
import { Fleet } from './fleet.ts';
import { inspectFiles } from './inspect.ts';
import { runAllJobs } from './jobs.ts';
import { Load } from './load.ts';
import { describeFindings, seed } from './report.ts';
import { canMount, SmallDisk } from './small-disk.ts';
import { untilSaved } from './until-saved.ts';
import { makeFaultWorld } from './world.ts';

const fullSeconds = Number(process.env['FAULTS_FULL_SECONDS'] ?? 15);
const rounds = Number(process.env['FAULTS_FULL_ROUNDS'] ?? 2);
const megabytes = { data: 400, database: 500, backups: 150 };
const calmMs = 4_000;
/** Of all processes together, while a disk is full. */
const mostLinesPerSecond = 20;

type Which = 'data' | 'database';

export const diskPart: Part = {
  name: 'disk',
  about: `disks full for FAULTS_FULL_SECONDS (${fullSeconds}), FAULTS_FULL_ROUNDS (${rounds}) times: the folder of data, PostgreSQL, backups`,
  async measure(run) {
    if (!canMount) {
      run.say('  file systems can be mounted only by root, on Linux');
      return [];
    }
    const groups: Group[] = [];
    const only = process.env['FAULTS_DATABASE'];
    if (only !== 'PostgreSQL') groups.push(await fillDisks('embedded', ['data'], run));
    if (hasPostgresPrograms && only !== 'embedded')
      groups.push(await fillDisks('PostgreSQL', ['data', 'database'], run));
    return groups;
  },
};

async function fillDisks(name: string, which: readonly Which[], run: Run): Promise<Group> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await makeTempFolder());
  const disks = new Map<Which, SmallDisk>();
  const dataDir = join(folder.path, 'data');
  disks.set('data', opened.use(await SmallDisk.mount(dataDir, megabytes.data)));
  let server: PostgresServer | undefined;
  if (name === 'PostgreSQL') {
    // The server's user has to reach it.
    const path = `/dev/shm/podstead-faults-${process.pid}`;
    const disk = opened.use(await SmallDisk.mount(path, megabytes.database, serverUser()));
    disks.set('database', disk);
    server = await PostgresServer.create(join(path, 'server'));
    const running = server;
    opened.defer(() => running.kill());
    await server.query('create database podstead');
  }
  const backups = opened.use(
    await SmallDisk.mount(join(folder.path, 'backups'), megabytes.backups),
  );
  const databaseUrl = server?.urlOf('podstead');
  const place: Place = { dataDir, ...(databaseUrl !== undefined && { databaseUrl }) };
  const world = await makeFaultWorld(place, folder.path);
  const mail = opened.use(await openMailHost());
  const feeds = opened.use(await openSlowHost());
  const settings = {
    ...{ DATA_DIR: dataDir, SMTP_URL: mail.url, DISK_RESERVE: '32' },
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, WORKER: 'off' }),
  };
  const findings = new Findings(run.say);
  const logFile = process.env['FAULTS_LOG'] ?? join(folder.path, 'log');
  const kinds =
    server === undefined ? (['serve'] as const) : (['serve', 'serve', 'worker'] as const);
  const fleet = opened.use(await Fleet.start({ kinds, logFile, settings }));
  const over = new AbortController();
  const random = new Random(seed);
  const load = new Load({ fleet, world, random, findings, signal: over.signal }, { mail, feeds });
  const probe = new Probe(fleet, world);
  const figures: Figure[] = [];
  await sleep(calmMs);
  for (let round = 0; round < rounds; round += 1) {
    for (const one of which) {
      run.signal.throwIfAborted();
      run.say(`    ${one}, ${findings.problemCount} problems`);
      const disk = disks.get(one)!;
      const full = { name: one, disk, probe, fleet, findings, server, place };
      figures.push(...(await fillOnce(full)));
    }
  }
  await fillBackups({ backups, place, findings, run });
  over.abort();
  await load.check(run.say);
  await probe.stop();
  await fleet.stop();
  await inspectFiles(place, findings);
  const described = describeFindings(`Full disks, ${name}, seed ${seed}`, findings, fleet.ended);
  return { ...described, figures: [...described.figures, ...figures] };
}

interface Full {
  readonly name: Which;
  readonly disk: SmallDisk;
  readonly probe: Probe;
  readonly fleet: Fleet;
  readonly findings: Findings;
  readonly server: PostgresServer | undefined;
  readonly place: Place;
}

async function fillOnce(full: Full): Promise<Figure[]> {
  const { name, disk, probe, fleet, findings, server, place } = full;
  probe.begin();
  const [linesBefore, savesBefore] = [fleet.logLines, findings.of('saves')];
  disk.fill();
  await sleep((fullSeconds * 1_000) / 2);
  // The embedded database belongs to one process: there, the jobs that are due each minute must do.
  const jobs = server === undefined ? undefined : await runAllJobs(place);
  await sleep((fullSeconds * 1_000) / 2);
  const saves = findings.of('saves') - savesBefore;
  const lines = (fleet.logLines - linesBefore) / fullSeconds;
  const failedReads = probe.failed;
  const note = `of ${probe.reads} (${[...probe.statuses].join(' ')}), ${saves} saves meanwhile`;
  disk.empty();
  // PostgreSQL itself gives up if it can't write its log. An operator starts it again.
  if (server !== undefined && (await server.startIfEnded()))
    findings.count('PostgreSQL started again');
  const recoveredMs = await untilSaved(findings);
  if (Number.isNaN(recoveredMs)) findings.problem(`${name} full: no save succeeds afterwards`);
  for (const failure of jobs === undefined ? [] : await runAllJobs(place))
    findings.problem(`a job fails after the disk of ${name} was full: ${failure}`);
  await sleep(calmMs);
  return [
    {
      ...{ name: `${name} full: cached reads that failed`, unit: 'ratio', aim: { atMost: 0 } },
      ...{ value: failedReads, note },
    },
    {
      name: `${name}: until saves succeed`,
      unit: 'ms',
      value: recoveredMs,
      aim: { atMost: 10_000 },
    },
    {
      ...{ name: `${name} full: lines of log a second`, unit: 'ratio', value: lines },
      aim: { atMost: mostLinesPerSecond },
    },
    {
      ...{ name: `${name} full: jobs that failed`, unit: 'ratio', value: jobs?.length ?? 0 },
      note: (jobs ?? []).join('; ').slice(0, 1_000),
    },
  ];
}

/** A backup on a full disk says so, harms no other, and succeeds when there is room. */
async function fillBackups({
  backups,
  place,
  findings,
  run,
}: {
  readonly backups: SmallDisk;
  readonly place: Place;
  readonly findings: Findings;
  readonly run: Run;
}): Promise<void> {
  run.say('    backups');
  const target = join(backups.path, 'target');
  const backup = async (...argv: string[]) => await runCommand(place, ['backup', ...argv], run);
  const first = await backup('create', target);
  if (first.code !== 0 && existsSync(target)) findings.problem(`backup: ${first.stderr}`);
  backups.fill();
  const refused = await backup('create', target);
  if (refused.code === 0) findings.problem('a backup on a full disk succeeds');
  else if (!/disk is full|space/i.test(refused.stderr))
    findings.problem(`a full disk: ${refused.stderr}`);
  const verified = await backup('verify', target);
  if (verified.code !== 0) findings.problem(`verify on a full disk: ${verified.stderr}`);
  backups.empty();
  for (const argv of [
    ['create', target],
    ['verify', target],
  ]) {
    const ended = await backup(...argv);
    if (ended.code !== 0) findings.problem(`${argv[0]} afterwards: ${ended.stderr}`);
  }
}
