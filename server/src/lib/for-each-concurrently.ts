/**
 * Runs `work` for each item in order, at most `concurrency` at once. After the first error, starts
 * nothing new, and throws it when the running ones have ended.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let hasFailed = false;
  const run = async (): Promise<void> => {
    for (const item of queue) {
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
      if (hasFailed) return;
    }
  };
  const runs = Array.from({ length: Math.min(concurrency, items.length) }, run);
  const results = await Promise.allSettled(runs);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
