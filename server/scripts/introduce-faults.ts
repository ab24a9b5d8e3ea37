import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { domainFaults } from './faults/domain-faults.ts';
import { editorFaults } from './faults/editor-faults.ts';
import { type Fault, type FaultyFile, hasPlace, introduceFault } from './faults/fault.ts';
import { transferFaults } from './faults/transfer-faults.ts';

/**
 * npm run -s faults [-- --area=counting] [--what=probe] [--at=main]: introduces each known fault
 * into a worktree of HEAD or another commit, runs the tests that must find it, and says which did.
 * Exits with 1 if a fault was missed. It finds PostgreSQL as the tests do. To see whether a change
 * of the tests loses anything, compare the lines of both commits. Faults whose code another commit
 * doesn't have are named and not counted.
 */

interface Outcome {
  /** The first test that failed. */
  readonly foundBy: string | undefined;
  readonly passed: number;
}

const { values } = parseArgs({
  options: {
    area: { type: 'string' },
    what: { type: 'string', default: '' },
    at: { type: 'string', default: 'HEAD' },
  },
});
const root = join(import.meta.dirname, '../..');
const all = [...domainFaults, ...transferFaults, ...editorFaults];
const chosen = all.filter(({ area }) => values.area === undefined || area === values.area);
const missed: string[] = [];
let count = 0;
const folder = mkdtempSync(join(tmpdir(), 'podstead-faults-'));
const tree = join(folder, 'tree');
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root });
try {
  git('worktree', 'add', '--quiet', '--detach', tree, values.at);
  for (const place of ['', 'server', 'player', 'dashboard']) shareModules(place);
  for (const file of chosen) await tryFaults(file);
} finally {
  git('worktree', 'remove', '--force', tree);
  rmSync(folder, { recursive: true, force: true });
}
say(`${count - missed.length} of ${count} faults were found`);
process.exitCode = missed.length === 0 ? 0 : 1;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The packages of this checkout, which the other commit may have to do with. */
function shareModules(place: string): void {
  try {
    symlinkSync(join(root, place, 'node_modules'), join(tree, place, 'node_modules'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function tryFaults({ area, file, tests, faults }: FaultyFile): Promise<void> {
  const path = join(tree, file);
  const there = tests.filter((test) => existsSync(join(tree, test)));
  for (const fault of faults.filter(({ what }) => what.includes(values.what))) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    // Another commit may have other code.
    if (values.at !== 'HEAD' && (there.length === 0 || !hasPlace(text, fault))) {
      say(`${area}: ${fault.what}: has no place or no tests at ${values.at}`);
      continue;
    }
    count += 1;
    const { foundBy, passed } = await tryFault(path, text, fault, there);
    if (foundBy === undefined) missed.push(fault.what);
    const how = foundBy ?? `MISSED by ${passed} tests of ${there.join(', ')}`;
    say(`${area}: ${fault.what}: ${how}`);
  }
}

async function tryFault(
  path: string,
  text: string,
  fault: Fault,
  tests: readonly string[],
): Promise<Outcome> {
  writeFileSync(path, introduceFault(text, fault));
  try {
    return await runTests(tests);
  } finally {
    writeFileSync(path, text);
  }
}

/** A run in which no test ran has found nothing, whatever it ends with. */
async function runTests(tests: readonly string[]): Promise<Outcome> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const reporter = ['--reporter=json', `--outputFile=${report}`, '--bail=1'];
  const projects = ['--project=unit', '--project=postgres'];
  const argv = ['node_modules/vitest/vitest.mjs', 'run', ...reporter, ...projects, ...tests];
  const env = { ...process.env, TEST_WORKERS: '1' };
  const child = spawn(process.execPath, argv, { cwd: tree, env, stdio: 'ignore' });
  await once(child, 'exit');
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    testResults: { assertionResults: { status: string; fullName: string }[] }[];
  };
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.find(({ status }) => status === 'failed');
  if (failed === undefined && numPassedTests === 0) throw new Error(`no test ran: ${tests}`);
  return { foundBy: failed?.fullName, passed: numPassedTests };
}
