import type { Context } from '../../foundation/context.ts';
import { indexEpisodes } from './index-episodes.ts';

/** What no announcement has told is found after so long. */
const checkEveryMs = 30_000;

/**
 * Indexes episodes soon after each change, beside any number of other processes, until it is disposed. Errors are
 * logged.
 */
export function startIndexing(ctx: Context): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isDue = true;
  let running: Promise<void> | undefined;
  const run = async () => {
    while (isDue && !signal.aborted) {
      isDue = false;
      await indexEpisodes(ctx, signal);
    }
  };
  const wake = () => {
    isDue = true;
    running ??= run()
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'episodes are not indexed yet'))
      .finally(() => {
        running = undefined;
        if (isDue && !signal.aborted) wake();
      });
  };
  const stopListening = ctx.announcements.subscribe(
    { onChange: wake, onGap: wake },
    { isWaiting: true },
  );
  const timer = setInterval(wake, checkEveryMs);
  wake();
  return {
    async [Symbol.asyncDispose]() {
      stopListening();
      clearInterval(timer);
      stopping.abort(new Error('the worker is stopping'));
      await running;
    },
  };
}
