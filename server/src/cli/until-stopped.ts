import { once } from 'node:events';

// The contract: ten seconds in all. Requests and jobs under way have 4 s, the connections to the
// database 1 s, the embedded database 2 s. The rest is for a machine that is slow with all of it.
const stopWithinMs = 7_500;

/** Waits until the process is told to stop, and limits the time from then on. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  // If anything hangs: all acknowledged data is already stored.
  setTimeout(() => process.exit(0), stopWithinMs).unref();
}
