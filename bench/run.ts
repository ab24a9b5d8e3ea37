import { parseArgs } from 'node:util';
import { audioBench } from './audio/index.ts';
import { backupsBench } from './backups/index.ts';
import type { Bench, Group, Run } from './bench.ts';
import { commandsBench } from './commands/index.ts';
import { dashboardBench } from './dashboard/index.ts';
import { downloadsBench } from './downloads/index.ts';
import { failoverBench } from './failover/index.ts';
import { faultsBench } from './faults/index.ts';
import { fuzzBench } from './fuzz/index.ts';
import { hostileBench } from './hostile/index.ts';
import { importsBench } from './imports/index.ts';
import { keyedBench } from './keyed/index.ts';
import { memoryBench } from './memory/index.ts';
import { hubBench, notificationsBench } from './notifications/index.ts';
import { pagesBench } from './pages/index.ts';
import { playerBench } from './player/index.ts';
import { formatGroup } from './print-figures.ts';
import { publicBench } from './public/index.ts';
import { scaleBench } from './scale/index.ts';
import { searchBench } from './search/index.ts';
import { sitesBench } from './sites/index.ts';
import { upgradeBench } from './upgrade/index.ts';

const benches: readonly Bench[] = [
  publicBench,
  keyedBench,
  pagesBench,
  playerBench,
  memoryBench,
  commandsBench,
  importsBench,
  audioBench,
  downloadsBench,
  sitesBench,
  notificationsBench,
  hubBench,
  dashboardBench,
  fuzzBench,
  hostileBench,
  backupsBench,
  scaleBench,
  failoverBench,
  upgradeBench,
  faultsBench,
  searchBench,
];

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // The first signal closes everything in order. A second one ends the process at once.
  process.once(signal, () => stop.abort(new Error('stopped')));
}
const run: Run = {
  signal: stop.signal,
  say: (text) => process.stderr.write(`${text}\n`),
};

try {
  process.exitCode = await main();
} catch (error) {
  if (!stop.signal.aborted) throw error;
  process.stderr.write('stopped\n');
  process.exitCode = 130;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  });
  const [name, ...wanted] = positionals;
  const bench = benches.find((candidate) => candidate.name === name);
  const unknown = wanted.find((part) => !bench?.parts.some((known) => known.name === part));
  if (bench === undefined || unknown !== undefined) {
    process.stderr.write(usage());
    return name === undefined ? 0 : 2;
  }
  const parts = bench.parts.filter((part) => wanted.length === 0 || wanted.includes(part.name));
  const measured: Group[] = [];
  for (const part of parts) {
    run.say(`${part.name}: ${part.about}`);
    for (const group of await part.measure(run)) {
      measured.push(group);
      if (!values.json) process.stdout.write(`\n${formatGroup(group)}\n\n`);
    }
  }
  if (values.json) process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
  return 0;
}

function usage(): string {
  const lines = benches.flatMap((bench) => [
    `  ${bench.name.padEnd(14)}${bench.about}`,
    ...bench.parts.map((part) => `    ${part.name.padEnd(12)}${part.about}`),
  ]);
  return `npm run bench -- NAME [PART …] [--json]\n\n${lines.join('\n')}\n`;
}
