const tickMs = 20;

/**
 * How long work takes, in milliseconds that a timer of our event loop has counted. On a busy machine it
 * counts fewer of them, so a limit of time means the same there.
 */
export async function tickedMs(work: Promise<unknown>): Promise<number> {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, tickMs);
  await work.finally(() => clearInterval(timer));
  return ticks * tickMs;
}
