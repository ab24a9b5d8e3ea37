import { setTimeout as systemDelay } from 'node:timers/promises';

/** Waits this long, or rejects with the signal's reason. */
export type Delay = (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;

export const sleep: Delay = async (delayMs, signal) => {
  try {
    await systemDelay(delayMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
};
