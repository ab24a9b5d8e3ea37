import { smallMalloc } from './lib/small-malloc.ts';

/**
 * V8's defaults use more memory than necessary: see docs/decisions/0001. The last option keeps V8 from
 * concluding from long downloads that the objects of every request are old (docs/decisions/0001).
 */
const nodeOptions = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
  '--no-allocation-site-pretenuring',
];
/** Other commands end before their memory grows, and should start quickly. */
const longRunning: ReadonlySet<string> = new Set([
  ...['serve', 'worker', 'demo', 'backup', 'export', 'restore'],
]);
/** It may follow `--new` and `--env-file FILE`. */
const mostBefore = 3;

/**
 * Restarts this process under the same id, with options that save memory; they cannot be set later.
 * Does nothing if the operator has set such options, or if the system cannot replace a process.
 */
export function restartWithSmallHeap(): void {
  const [node = process.execPath, script = '', ...typed] = process.argv;
  const isLong = typed.slice(0, mostBefore + 1).some((text) => longRunning.has(text));
  const given = [...process.execArgv, process.env['NODE_OPTIONS']].join(' ');
  const isChosen = given.includes('max-semi-space-size') || given.includes('max_semi_space_size');
  // A channel to a parent (`fork`) would be lost.
  const isPossible = process.execve !== undefined && process.send === undefined;
  if (!isLong || isChosen || !isPossible) return;
  const argv = [node, ...nodeOptions, ...process.execArgv, script, ...typed];
  const environment = {
    ...smallMalloc,
    ...process.env,
  };
  process.execve?.(process.execPath, argv, environment);
}
