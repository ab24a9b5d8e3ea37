import { once } from 'node:events';

// operator.md: ten seconds in all.
const stopWithinMs = 9_500;

/** Waits until the process is told to stop; from then on its end is only a matter of time. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  // Whatever hangs: everything that was acknowledged is in the stores already.
  setTimeout(() => process.exit(0), stopWithinMs).unref();
}
