import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Group, Part, Run } from '../bench.ts';
import { Random } from '../fuzz/random.ts';
import { postgresAvailable } from '../installation/bench-database.ts';
import { Findings } from './findings.ts';
import { Fleet, type Kind } from './fleet.ts';
import { inspectFiles } from './inspect.ts';
import { Load } from './load.ts';
import { describeFindings, seed } from './report.ts';
import { openFaultPlace } from './world.ts';

const kills = Number(process.env['FAULTS_KILLS'] ?? 40);
/** A process that listens runs for at most so long. */
const longestLifeMs = Number(process.env['FAULTS_LIFE_MS'] ?? 4_000);
const reportEvery = 20;

const databases = {
  embedded: ['serve'],
  PostgreSQL: ['serve', 'serve', 'worker'],
} as const satisfies Record<string, readonly Kind[]>;

export const killsPart: Part = {
  name: 'kills',
  about: `FAULTS_KILLS (${kills}) SIGKILLs on each database, at random moments, under all kinds of writes`,
  async measure(run) {
    const groups: Group[] = [];
    const only = process.env['FAULTS_DATABASE'];
    for (const [name, kinds] of Object.entries(databases)) {
      if (only !== undefined && only !== name) continue;
      if (name === 'PostgreSQL' && !(await postgresAvailable())) continue;
      run.say(`  ${name}`);
      groups.push(await killOn(name, kinds, run));
    }
    return groups;
  },
};

async function killOn(name: string, kinds: readonly Kind[], run: Run): Promise<Group> {
  await using opened = new AsyncDisposableStack();
  const { folder, place, world, mail, feeds } = await openFaultPlace(opened, name);
  const { dataDir, databaseUrl } = place;
  const random = new Random(seed);
  const findings = new Findings(run.say);
  const settings = {
    ...{ DATA_DIR: dataDir, SMTP_URL: mail.url },
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    // One of several servers leaves background work to the worker.
    ...(kinds.length > 1 && { WORKER: 'off' }),
  };
  const logFile = process.env['FAULTS_LOG'] ?? join(folder.path, 'log');
  const fleet = opened.use(await Fleet.start({ kinds, logFile, settings }));
  const over = new AbortController();
  const load = new Load({ fleet, world, random, findings, signal: over.signal }, { mail, feeds });
  const fromMs = performance.now();
  await killRandomly(fleet, load, random, findings, run);
  const seconds = Math.round((performance.now() - fromMs) / 1_000);
  over.abort();
  await load.check(run.say);
  await fleet.stop();
  await inspectFiles(place, findings);
  const title = `${fleet.killedAtMs.length} kills on ${name} in ${seconds} s, seed ${seed}`;
  return describeFindings(title, findings, [...fleet.ended, `${fleet.logLines} lines of log`]);
}

/** Each process has its own life: several may be down at once, and some are killed while they start. */
async function killRandomly(
  fleet: Fleet,
  load: Load,
  random: Random,
  findings: Findings,
  { signal, say }: Run,
): Promise<void> {
  let left = kills;
  const live = async (index: number) => {
    while (left > 0) {
      signal.throwIfAborted();
      await sleep(random.below(longestLifeMs) + 50);
      if (left <= 0) return;
      left -= 1;
      if (left % reportEvery === 0)
        say(`    ${left} kills left, ${findings.problemCount} problems`);
      await fleet.kill(index, () => load.noteKill(index));
      if (random.chance(0.1)) {
        // In the middle of its start.
        const starting = fleet.restart(index);
        await sleep(random.below(1_500));
        if (left > 0 && fleet.urlOf(index) === undefined) {
          left -= 1;
          await fleet.kill(index, () => load.noteKill(index));
        }
        await starting;
      }
      await fleet.restart(index);
    }
  };
  await Promise.all(Array.from({ length: fleet.size }, (_, index) => live(index)));
}
