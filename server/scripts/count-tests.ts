import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

/**
 * count-tests EXIT_CODE RESULTS…: sums up vitest's JSON reports: the ten slowest files, the tests that no
 * project ran, and one line for machines.
 */

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const [exitCode = '1', ...files] = process.argv.slice(2);
const reports = files.map(readReport);
const results = reports.flatMap(({ testResults }) => testResults);
const sumOf = (name: 'numPassedTests' | 'numFailedTests' | 'numPendingTests') =>
  reports.reduce((sum, report) => sum + report[name], 0);
showSlowest();
showNeverRun();
const broken = results.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
);
for (const { name } of broken) process.stdout.write(`did not finish: ${name}\n`);
const failures = sumOf('numFailedTests') + broken.length;
// vitest also fails a run for errors outside of tests; they count as one failure.
const failed = failures === 0 && exitCode !== '0' ? 1 : failures;
const skipped = sumOf('numPendingTests');
if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
process.stdout.write(`${sumOf('numPassedTests')} passed, ${failed} failed\n`);

/** A file that runs on both databases is listed twice. */
function showSlowest(): void {
  const seconds = ({ startTime, endTime }: { startTime: number; endTime: number }) =>
    (endTime - startTime) / 1000;
  const slowest = results.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, 10);
  for (const result of slowest) {
    const file = relative(process.cwd(), result.name);
    process.stdout.write(`${seconds(result).toFixed(1).padStart(6)} s  ${file}\n`);
  }
}

/** A test that each database leaves to the other can never fail. */
function showNeverRun(): void {
  const wasRun = new Map<string, boolean>();
  for (const { name, assertionResults } of results) {
    for (const { status, fullName } of assertionResults) {
      const test = `${relative(process.cwd(), name)}: ${fullName}`;
      const isDone = status === 'passed' || status === 'failed';
      wasRun.set(test, isDone || wasRun.get(test) === true);
    }
  }
  for (const [test, isDone] of wasRun) {
    if (!isDone) process.stdout.write(`not run by any project: ${test}\n`);
  }
}

function readReport(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    process.stdout.write(`the tests did not finish: ${basename(file, '.json')}\n`);
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, testResults: [] };
  }
}
