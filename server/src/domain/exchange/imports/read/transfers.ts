import { setTimeout as systemDelay } from 'node:timers/promises';
import {
  type DownloadedFile,
  downloadFile,
} from '../../../../platform/outbound-http/download-file.ts';
import {
  OutboundError,
  type OutboundFailure,
} from '../../../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../../../foundation/context.ts';
import type { ImportLimits } from '../import-limits.ts';
import { refuseOwnAudio } from './own-feed.ts';

/** Servers may limit the rate of hundreds of requests. */
const pausesMs = [2_000, 10_000, 30_000];
const busyStatuses = new Set([429, 503]);
/** After this many failures in a row, a host is not asked again in this run. */
const silencesInARow = 8;
const silentReasons: ReadonlySet<OutboundFailure> = new Set(['unreachable', 'timeout', 'too_slow']);
const traceTimeoutMs = 10_000;

/** Thrown through the HTTP client to stop further requests. */
class TraceEnded extends Error {}

/**
 * Fetches everything besides the feed. Waits for busy hosts and gives up on unresponsive ones, so
 * that thousands of episodes on a dead host fail within minutes. Throws OutboundError or the
 * signal's reason.
 */
export class Transfers {
  readonly #ctx: Context;
  readonly #limits: ImportLimits;
  readonly #signal: AbortSignal;
  readonly #delay: Delay;
  readonly #silences = new Map<string, number>();

  constructor(ctx: Context, limits: ImportLimits, signal: AbortSignal, delay: Delay = sleep) {
    this.#ctx = ctx;
    this.#limits = limits;
    this.#signal = signal;
    this.#delay = delay;
  }

  /** An image, a transcript or chapters, in memory. */
  async bytes(url: string, maxBytes: number): Promise<Buffer> {
    const { fileTimeoutMs: timeoutMs, idleTimeoutMs, minimumRate } = this.#limits;
    const limits = { maxBytes, timeoutMs, idleTimeoutMs, minimumRate };
    const signal = this.#signal;
    return this.#ask(url, async () => {
      const request = { ...limits, signal, triesSecondAgent: true };
      return (await this.#ctx.outbound.fetchBytes(url, request)).bytes;
    });
  }

  /** Audio, to a file; resumes a partial file. `onGrown` gets its size, and ends the transfer if it throws. */
  async audio(
    url: string,
    path: string,
    maxBytes: number,
    onGrown?: (sizeBytes: number) => void,
  ): Promise<DownloadedFile> {
    const { audioTimeoutMs: timeoutMs, idleTimeoutMs, minimumRate } = this.#limits;
    const signal = this.#signal;
    const delay = (delayMs: number) => this.#delay(delayMs, signal);
    return this.#ask(url, () =>
      downloadFile(this.#ctx.outbound, url, path, {
        ...{ maxBytes, timeoutMs, idleTimeoutMs, minimumRate, signal, delay },
        ...(onGrown && { onProgress: onGrown }),
        checkAddress: (address) => refuseOwnAudio(this.#ctx, address),
        room: this.#ctx.blobs.room,
      }),
    );
  }

  /**
   * The URL and its redirects, followed for a few seconds or until `isEnough` is true. Fetches no
   * content.
   */
  async trace(url: string, isEnough: (address: string) => boolean): Promise<string[]> {
    const host = URL.parse(url)?.host ?? '';
    if (this.#isSilent(host)) return [];
    const passed: string[] = [];
    const checkAddress = (address: string): void => {
      passed.push(address);
      if (isEnough(address)) throw new TraceEnded();
    };
    const signal = this.#signal;
    const request = { method: 'HEAD', maxBytes: 0, timeoutMs: traceTimeoutMs, signal } as const;
    try {
      await this.#try(host, async () => {
        (await this.#ctx.outbound.request(url, { ...request, checkAddress })).body.destroy();
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutboundError || error instanceof TraceEnded)) throw error;
    }
    return passed;
  }

  async #ask<T>(url: string, transfer: () => Promise<T>): Promise<T> {
    const host = URL.parse(url)?.host ?? '';
    for (const pauseMs of [...pausesMs, undefined]) {
      try {
        return await this.#try(host, transfer);
      } catch (error) {
        if (pauseMs === undefined || !isBusy(error)) throw error;
      }
      await this.#delay(pauseMs, this.#signal);
    }
    throw new Error('unreachable: the last try returns or throws');
  }

  async #try<T>(host: string, transfer: () => Promise<T>): Promise<T> {
    this.#signal.throwIfAborted();
    this.#refuseSilent(host);
    try {
      const result = await transfer();
      this.#silences.delete(host);
      return result;
    } catch (error) {
      this.#hear(host, error);
      throw error;
    }
  }

  #refuseSilent(host: string): void {
    if (!this.#isSilent(host)) return;
    throw new OutboundError(
      'unreachable',
      `${host} did not respond ${silencesInARow} times in a row`,
    );
  }

  #isSilent(host: string): boolean {
    return (this.#silences.get(host) ?? 0) >= silencesInARow;
  }

  #hear(host: string, error: unknown): void {
    if (!(error instanceof OutboundError)) return;
    if (silentReasons.has(error.reason))
      this.#silences.set(host, (this.#silences.get(host) ?? 0) + 1);
    else this.#silences.delete(host);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof OutboundError && busyStatuses.has(error.status ?? 0);
}

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
