import { setTimeout as systemDelay } from 'node:timers/promises';

/** Waits that long, or rejects with the signal's own reason. */
export type Delay = (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;

export const waitFor: Delay = async (delayMs, signal) => {
  try {
    await systemDelay(delayMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
};
