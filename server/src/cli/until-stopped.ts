import { once } from 'node:events';

// CLI-10 allows ten seconds in all. Running requests and jobs take up to 4 s, closing the
// connections to the database 1 s, the embedded database 2 s. The rest is for slow machines.
const stopWithinMs = 7_500;

/** Waits until the process is told to stop, and limits the time from then on. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  // In case something hangs. All acknowledged data is already stored.
  setTimeout(() => process.exit(0), stopWithinMs).unref();
}
