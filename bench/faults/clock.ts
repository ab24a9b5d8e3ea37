import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure, Group, Part, Run } from '../bench.ts';
import { readSums } from '../downloads/read-sums.sql.ts';
import { Random } from '../fuzz/random.ts';
import { postgresAvailable } from '../installation/bench-database.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { Probe } from './clients/probe.ts';
import { Findings } from './findings.ts';
import { Fleet, origin, secret } from './fleet.ts';
import { inspectFiles } from './inspect.ts';
import { Load } from './load.ts';
import { describeFindings, seed } from './report.ts';
import { untilSaved } from './until-saved.ts';
import { openFaultPlace } from './world.ts';

const jumpSeconds = Number(process.env['FAULTS_JUMP_SECONDS'] ?? 15);
const calmMs = 5_000;
/** Of the clock that the processes see, from the true one. */
const offsets = ['+1d', '+0', '-1d', '+0'] as const;

/** Debian's package libfaketime. Monotonic clocks and the times of files stay true. */
function findFakeTime(): string | undefined {
  if (!existsSync('/usr/lib')) return undefined;
  return readdirSync('/usr/lib')
    .map((folder) => join('/usr/lib', folder, 'faketime/libfaketime.so.1'))
    .find(existsSync);
}

export const clockPart: Part = {
  name: 'clock',
  about: `the clock a day ahead, right, a day behind, and right, each for FAULTS_JUMP_SECONDS (${jumpSeconds})`,
  async measure(run) {
    const library = findFakeTime();
    if (library === undefined) {
      run.say('  needs libfaketime');
      return [];
    }
    const groups: Group[] = [];
    const only = process.env['FAULTS_DATABASE'];
    if (only !== 'PostgreSQL') groups.push(await jump('embedded', library, run));
    if (only !== 'embedded' && (await postgresAvailable()))
      groups.push(await jump('PostgreSQL', library, run));
    return groups;
  },
};

async function jump(name: 'embedded' | 'PostgreSQL', library: string, run: Run): Promise<Group> {
  run.say(`  ${name}`);
  await using opened = new AsyncDisposableStack();
  const { folder, place, world, mail, feeds } = await openFaultPlace(opened, name);
  const { dataDir, databaseUrl } = place;
  const offsetFile = join(folder.path, 'offset');
  await writeFile(offsetFile, '+0');
  const settings = {
    ...{ DATA_DIR: dataDir, SMTP_URL: mail.url },
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, WORKER: 'off' }),
    ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: offsetFile, FAKETIME_NO_CACHE: '1' },
    ...{ DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' },
  };
  const findings = new Findings(run.say);
  const logFile = process.env['FAULTS_LOG'] ?? join(folder.path, 'log');
  const kinds =
    databaseUrl === undefined ? (['serve'] as const) : (['serve', 'serve', 'worker'] as const);
  const fleet = opened.use(await Fleet.start({ kinds, logFile, settings }));
  const over = new AbortController();
  const around = { fleet, world, findings, random: new Random(seed), signal: over.signal };
  // What is due follows the clock of the service, so publications are not watched by the true one.
  const load = new Load(around, { mail, feeds }, { isClockTrue: false });
  const probe = new Probe(fleet, world);
  await sleep(calmMs);
  const figures: Figure[] = [];
  for (const offset of offsets) {
    run.signal.throwIfAborted();
    run.say(`    ${offset}, ${findings.problemCount} problems`);
    probe.begin();
    await writeFile(offsetFile, offset);
    const recoveredMs = await untilSaved(findings);
    if (Number.isNaN(recoveredMs)) findings.problem(`${offset}: no save succeeds`);
    await sleep(jumpSeconds * 1_000);
    figures.push(
      {
        name: `${offset}: until saves succeed`,
        unit: 'ms',
        value: recoveredMs,
        aim: { atMost: 5_000 },
      },
      {
        ...{ name: `${offset}: cached reads that failed`, unit: 'ratio', aim: { atMost: 0 } },
        ...{ value: probe.failed, note: `of ${probe.reads}` },
      },
    );
  }
  over.abort();
  await load.check(run.say);
  await probe.stop();
  await sleep(calmMs);
  await fleet.stop();
  await compareCounts(place, world.heard.id, load.downloads, findings);
  await inspectFiles(place, findings);
  const described = describeFindings(`Clocks that jump, ${name}, seed ${seed}`, findings, [
    `${fleet.logLines} lines of log`,
    ...fleet.ended,
  ]);
  return { ...described, figures: [...described.figures, ...figures] };
}

/** A listener whose ranges are of two days makes no download: one for each jump may be missing. */
async function compareCounts(
  place: Place,
  podcastId: string,
  made: number,
  findings: Findings,
): Promise<void> {
  await using app = await openInstallation({
    ...place,
    settings: { SECRET: secret, BASE_URL: origin },
  });
  const { downloads } = await readSums(app.ctx.db, podcastId);
  findings.count('downloads made', made);
  findings.count('downloads counted', downloads);
  if (downloads > made) findings.problem(`${downloads} downloads are counted, ${made} were made`);
  if (downloads < made - offsets.length)
    findings.problem(`${downloads} of ${made} downloads are counted`);
}
