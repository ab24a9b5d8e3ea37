import { threadCpuUsage } from 'node:process';
import { onReferenceMachine } from './reference-machine.ts';

/** Measures how long a thread blocks its event loop. */
export interface EventLoopWatch extends Disposable {
  /** The longest task so far, in milliseconds of this thread's CPU time. */
  readonly longestMs: number;
  /** Forgets what was before. */
  restart(): void;
}

const sampleEveryMs = 2;

/**
 * Measures the CPU time of this thread between two ticks of a timer. Time in which other processes
 * use the processor does not count, so the figures are the same on a busy machine.
 */
export function watchEventLoop(): EventLoopWatch {
  let before = threadCpuUsage();
  let longestMs = 0;
  const look = () => {
    const { user, system } = threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    before = threadCpuUsage();
  };
  const timer = setInterval(look, sampleEveryMs);
  timer.unref();
  return {
    get longestMs() {
      // The present task counts too.
      look();
      return longestMs;
    },
    restart() {
      before = threadCpuUsage();
      longestMs = 0;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/**
 * The longest task of some work, in milliseconds of the reference machine. A first run also loads the
 * code, and a busy machine may make single tasks longer; work that blocks makes the tasks of all runs
 * long. So it is measured again, up to five times, until its tasks are shorter than `limitMs`.
 */
export async function longestTaskMs(work: () => Promise<unknown>, limitMs = 50): Promise<number> {
  let longestMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 6 && longestMs >= limitMs; attempt += 1) {
    using watch = watchEventLoop();
    await work();
    longestMs = Math.min(longestMs, onReferenceMachine(watch.longestMs));
  }
  return longestMs;
}
