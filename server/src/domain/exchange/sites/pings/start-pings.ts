import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../../foundation/context.ts';
import { requireTrusted } from '../../../foundation/principal.ts';
import { Pinger, type PingerOptions } from './pinger.ts';

/** A site is to be told within five seconds of a change (SITE-39). */
const everyMs = 1_500;
/**
 * A part of the ten seconds in which a process must stop. Unfinished pings are sent when their
 * claims end.
 */
const stopWithinMs = 3_000;

/**
 * Sends pings to connected sites until it is disposed. Any number of processes may do so. When
 * idle, each run makes two queries. Errors are logged.
 */
export function startPings(ctx: Context, options: Omit<PingerOptions, 'signal'>): AsyncDisposable {
  requireTrusted(ctx);
  const stopping = new AbortController();
  const { signal } = stopping;
  const pinger = new Pinger(ctx, { ...options, signal });
  const ended = (async () => {
    while (!signal.aborted) {
      await pinger.runOnce();
      await wait(everyMs, undefined, { signal }).catch(() => undefined);
    }
    await pinger.settled();
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the worker is stopping'));
      await Promise.race([ended, wait(stopWithinMs, undefined, { ref: false })]);
    },
  };
}
