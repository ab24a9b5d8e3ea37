import { threadCpuUsage } from 'node:process';

/** How long a thread keeps everything else waiting. */
export interface TurnWatch extends Disposable {
  /** The longest so far, in milliseconds of this thread's processor time. */
  readonly longestMs: number;
  /** Forgets what was before. */
  restart(): void;
}

const sampleEveryMs = 2;

/**
 * Watches how much this thread works between two turns of a timer. A timer that comes late because
 * other processes have the processor counts for nothing: a busy machine makes no other figures.
 */
export function watchTurns(): TurnWatch {
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
      // The turn that goes on counts as well.
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
 * The longest turn of some work, in milliseconds, after a first time in which code is loaded. A busy
 * machine makes a turn longer; work that holds the process makes each of them long.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longestMs = Number.POSITIVE_INFINITY;
  await work();
  for (let attempt = 0; attempt < 5 && longestMs >= 50; attempt += 1) {
    using watch = watchTurns();
    await work();
    longestMs = Math.min(longestMs, watch.longestMs);
  }
  return longestMs;
}
