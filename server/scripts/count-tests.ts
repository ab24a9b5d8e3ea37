import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

/**
 * count-tests EXIT_CODE RESULTS…: sums up vitest's JSON reports: the ten slowest files, the tests that no
 * project ran, those that failed with what they said, and one line for machines. Where only the end of a log
 * is kept, it says what failed.
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
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
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
showFailed();
for (const { name, message } of broken) {
  process.stdout.write(`did not finish: ${relative(process.cwd(), name)}\n${indentStart(message)}`);
}
const failures = sumOf('numFailedTests') + broken.length;
// vitest also fails a run for errors outside of tests; they count as one failure, and .ci/run shows them.
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

function showFailed(): void {
  for (const { name, assertionResults } of results) {
    for (const { status, fullName, failureMessages = [] } of assertionResults) {
      if (status !== 'failed') continue;
      process.stdout.write(`failed: ${relative(process.cwd(), name)}: ${fullName}\n`);
      for (const message of failureMessages) process.stdout.write(indentStart(message));
    }
  }
}

/** The error and the first calls of its stack. */
function indentStart(message: string): string {
  const lines = message.split('\n').slice(0, 20);
  return lines.map((line) => `    ${line.slice(0, 300)}\n`).join('');
}

function readReport(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    process.stdout.write(`the tests did not finish: ${basename(file, '.json')}\n`);
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, testResults: [] };
  }
}
