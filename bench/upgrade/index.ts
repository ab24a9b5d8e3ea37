import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FailoverLoad } from '../../server/test/failover-load.ts';
import { hasHaproxy } from '../../server/test/hosts/haproxy.ts';
import { hasPostgresPrograms } from '../../server/test/hosts/postgres-server.ts';
import type { Bench, Figure, Group, Run } from '../bench.ts';
import { repositoryRoot } from '../public/serve-process.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { type Slot, UpgradeInstallation, waitFor } from './installation.ts';
import { copyWithMigration, findPrevious, unpackCommit } from './releases.ts';
import { ScheduledWatch } from './scheduled.ts';

const rates = { readsPerSecond: 120, rangesPerSecond: 20 };
const betweenMs = 3_000;
const scheduledEveryMs = 4_000;
/** Fewer than a list has. */
const scheduledCount = 45;
/** A scheduled episode is public within a second. */
const lateMs = 1_000;

/** All processes of a service are replaced under load, and some of them replaced back. */
export const upgradeBench: Bench = {
  name: 'upgrade',
  about: 'processes of two releases side by side: failed requests, lost saves, wrong counts',
  parts: [
    {
      name: 'next',
      about: 'this checkout, replaced by a copy of it with one more migration',
      measure: (run) =>
        measure(run, async (folder) => {
          copyWithMigration(folder);
          return {
            ...{ old: repositoryRoot, new: folder, isDrained: false },
            title: 'this checkout to the next release, with STOP_DELAY',
          };
        }),
    },
    {
      name: 'previous',
      about: 'PREVIOUS (a commit; by default the newest tag), replaced by this checkout',
      measure: (run) =>
        measure(run, async (folder) => {
          const commit = findPrevious();
          unpackCommit(commit, folder);
          return {
            ...{ old: folder, new: repositoryRoot, isDrained: true },
            title: `${commit} to this checkout, taken out of the balancer first`,
          };
        }),
    },
  ],
};

interface Releases {
  readonly old: string;
  readonly new: string;
  /** Whether the balancer is told before a process is stopped. */
  readonly isDrained: boolean;
  readonly title: string;
}

type Step = readonly [about: string, slot: Slot, release: 'old' | 'new'];

/** Each process is stopped, and one of this release is started. The first new one migrates. */
const steps: readonly Step[] = [
  ['upgrade', 'first', 'new'],
  ['restart beside the newer release', 'second', 'old'],
  ['restart beside the newer release', 'worker', 'old'],
  ['upgrade', 'second', 'new'],
  ['upgrade', 'worker', 'new'],
  ['rollback', 'worker', 'old'],
  ['rollback', 'first', 'old'],
  ['upgrade again', 'first', 'new'],
  ['upgrade again', 'worker', 'new'],
];

async function measure(
  run: Run,
  prepare: (folder: string) => Promise<Releases>,
): Promise<readonly Group[]> {
  if (!hasPostgresPrograms || !hasHaproxy) {
    run.say('  no PostgreSQL or HAProxy here');
    return [];
  }
  await using temporary = await makeTempFolder();
  const releases = await prepare(join(temporary.path, 'release'));
  const startsAtMs = Date.now() + 20_000;
  const dueAt = Array.from(
    { length: scheduledCount },
    (_, n) => new Date(startsAtMs + n * scheduledEveryMs),
  );
  await using installation = await UpgradeInstallation.open(releases.old, dueAt);
  const load = await installation.createLoad();
  const watch = new ScheduledWatch(installation.url, dueAt);
  load.start(rates);
  await sleep(betweenMs);
  const refusals = await replaceAll(run, installation, releases);
  await load.stop();
  await watch.stop();
  const counted = await waitForCounts(installation, load.delivered);
  const lost = await countLost(installation, load);
  for (const slot of ['first', 'second', 'worker'] as const) await installation.stop(slot);
  const figures = describe({ load, watch, counted, lost, installation });
  const failures = describeFailures(load, watch);
  const remarks = [...failures, ...refusals, ...installation.logged];
  return [{ title: releases.title, figures, remarks }];
}

/** Returns why processes of the old release did not start; a new one then takes their place. */
async function replaceAll(
  run: Run,
  installation: UpgradeInstallation,
  releases: Releases,
): Promise<readonly string[]> {
  const refusals: string[] = [];
  for (const [about, slot, release] of steps) {
    run.signal.throwIfAborted();
    run.say(`  ${about}: ${slot}`);
    await installation.stop(slot, releases);
    try {
      await installation.start(slot, releases[release]);
    } catch (error) {
      if (release === 'new') throw error;
      refusals.push(`the old release does not start: ${(error as Error).message.trim()}`);
      await installation.start(slot, releases.new);
    }
    await sleep(betweenMs);
  }
  return refusals;
}

async function waitForCounts(
  installation: UpgradeInstallation,
  delivered: number,
): Promise<number> {
  const sum = 'select coalesce(sum(downloads), 0)::int as sum from episode_download_days';
  const count = async () => (await installation.query<{ sum: number }>(sum))[0]?.sum ?? 0;
  await waitFor('the counts', async () => (await count()) >= delivered).catch(() => undefined);
  return await count();
}

/** Saved episodes without the title that was acknowledged last. */
async function countLost(installation: UpgradeInstallation, load: FailoverLoad): Promise<number> {
  const rows = await installation.query<{ id: string; title: string }>(
    `select id, title from episodes where slug like 's%'`,
  );
  const titles = new Map(rows.map(({ id, title }) => [id, Number(title)]));
  return load.saves.filter(({ id, acknowledged }) => titles.get(id) !== acknowledged).length;
}

/** By status; 0: no response. */
function describeFailures(load: FailoverLoad, watch: ScheduledWatch): string[] {
  const counts = new Map<string, number>();
  const add = (what: string, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by);
  for (const status of load.reads) if (status !== 200) add(`read ${status}`);
  for (const [status, count] of load.refusals) add(`save ${status}`, count);
  for (const failure of watch.failures) add(`list ${failure}`);
  return [...counts].map(([what, count]) => `${count} × ${what}`);
}

interface Result {
  readonly load: FailoverLoad;
  readonly watch: ScheduledWatch;
  readonly counted: number;
  readonly lost: number;
  readonly installation: UpgradeInstallation;
}

function describe({ load, watch, counted, lost, installation }: Result): Figure[] {
  const failedReads = load.reads.filter((status) => status !== 200).length;
  const refusedSaves = [...load.refusals.values()].reduce((sum, count) => sum + count, 0);
  const none = { unit: 'ratio', aim: { atMost: 0 } } as const;
  return [
    { name: 'requests', value: load.requests + watch.requests, unit: 'ratio' },
    { name: 'failed reads', value: failedReads, ...none },
    { name: 'failed saves', value: refusedSaves, ...none },
    { name: 'ranges of audio that were not delivered', value: load.undelivered, ...none },
    { name: 'failed lists of a show', value: watch.failures.length, ...none },
    { name: 'slowest read', value: load.slowestReadMs, unit: 'ms' },
    { name: 'acknowledged saves', value: load.savedAtMs.length, unit: 'ratio' },
    { name: 'episodes that lost an acknowledged save', value: lost, ...none },
    { name: 'delivered downloads', value: load.delivered, unit: 'ratio' },
    { name: 'downloads that were counted twice', value: counted - load.delivered, ...none },
    { name: 'downloads that were not counted', value: load.delivered - counted, ...none },
    { name: 'scheduled publications', value: watch.due, unit: 'ratio' },
    {
      ...{ name: 'longest time until all processes showed one', value: watch.latestMs },
      ...{ unit: 'ms', aim: { atMost: lateMs } },
    },
    { name: 'lines in logs', value: installation.logged.length, unit: 'ratio' },
  ];
}
