/** V8's own choices suit machines with memory to spare: see docs/decisions/0057. */
const nodeOptions = ['--max-semi-space-size=4', '--heap-growing-percent=50'];
/**
 * Of glibc. Memory that one thread has freed is used by the others, and what is large (pictures,
 * sources) is given back: glibc would raise both thresholds, up to 64 MB, and keep as much.
 */
const malloc = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
/** Other commands end before they grow, and should start at once. */
const longRunning: ReadonlySet<string | undefined> = new Set(['serve', 'worker', 'demo']);

/**
 * Starts this process anew, under the same id, with options that keep it small. They cannot be set
 * later. Does nothing where it was started with a choice of its own, or the system cannot do it.
 */
export function restartSmall(): void {
  const [node = process.execPath, script = '', command] = process.argv;
  const given = [...process.execArgv, process.env['NODE_OPTIONS']].join(' ');
  const isChosen = given.includes('max-semi-space-size') || given.includes('max_semi_space_size');
  // A channel to a parent (`fork`) would be lost.
  const isPossible = process.execve !== undefined && process.send === undefined;
  if (!longRunning.has(command) || isChosen || !isPossible) return;
  const argv = [node, ...nodeOptions, ...process.execArgv, script, ...process.argv.slice(2)];
  const environment = {
    ...malloc,
    ...process.env,
  };
  process.execve?.(process.execPath, argv, environment);
}
