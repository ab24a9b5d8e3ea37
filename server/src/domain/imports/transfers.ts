import { type DownloadedFile, downloadFile } from '../../platform/outbound-http/download-file.ts';
import { OutboundError } from '../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../context.ts';
import type { ImportLimits } from './import-limits.ts';
import { type Delay, waitFor } from './wait-for.ts';

/** A server that is asked for hundreds of files may say that this is too fast. */
const pausesMs = [2_000, 10_000, 30_000];
const busyStatuses = new Set([429, 503]);
/** So many failures in a row, and a host is not asked again in this run. */
const silencesInARow = 8;

/**
 * What an import fetches besides the feed. Waits where a host is busy, and stops asking one that
 * does not answer: thousands of episodes on a dead host are told within minutes. Throws
 * OutboundError, or the signal's reason.
 */
export class Transfers {
  readonly #ctx: Context;
  readonly #limits: ImportLimits;
  readonly #signal: AbortSignal;
  readonly #delay: Delay;
  readonly #silences = new Map<string, number>();

  constructor(ctx: Context, limits: ImportLimits, signal: AbortSignal, delay: Delay = waitFor) {
    this.#ctx = ctx;
    this.#limits = limits;
    this.#signal = signal;
    this.#delay = delay;
  }

  /** A picture, a transcript, chapters: all of it in memory. */
  async bytes(url: string, maxBytes: number): Promise<Buffer> {
    const { fileTimeoutMs: timeoutMs, idleTimeoutMs } = this.#limits;
    const signal = this.#signal;
    return this.#ask(url, async () => {
      const request = { maxBytes, timeoutMs, idleTimeoutMs, signal };
      return (await this.#ctx.outbound.fetchBytes(url, request)).bytes;
    });
  }

  /** Audio, to a file; what is there of it already is not asked for again. */
  async audio(url: string, path: string): Promise<DownloadedFile> {
    const { audioBytes: maxBytes, audioTimeoutMs: timeoutMs, idleTimeoutMs } = this.#limits;
    const signal = this.#signal;
    const delay = (delayMs: number) => this.#delay(delayMs, signal);
    return this.#ask(url, () =>
      downloadFile(this.#ctx.outbound, url, path, {
        maxBytes,
        timeoutMs,
        idleTimeoutMs,
        signal,
        delay,
      }),
    );
  }

  async #ask<T>(url: string, transfer: () => Promise<T>): Promise<T> {
    const host = URL.parse(url)?.host ?? '';
    for (const pauseMs of [...pausesMs, undefined]) {
      this.#signal.throwIfAborted();
      this.#refuseSilent(host);
      try {
        const result = await transfer();
        this.#silences.delete(host);
        return result;
      } catch (error) {
        this.#hear(host, error);
        if (pauseMs === undefined || !isBusy(error)) throw error;
      }
      await this.#delay(pauseMs, this.#signal);
    }
    throw new Error('unreachable: the last try returns or throws');
  }

  #refuseSilent(host: string): void {
    if ((this.#silences.get(host) ?? 0) < silencesInARow) return;
    throw new OutboundError(
      'unreachable',
      `${host} did not answer ${silencesInARow} times in a row`,
    );
  }

  #hear(host: string, error: unknown): void {
    if (!(error instanceof OutboundError)) return;
    const isSilence = error.reason === 'unreachable' || error.reason === 'timeout';
    if (isSilence) this.#silences.set(host, (this.#silences.get(host) ?? 0) + 1);
    else this.#silences.delete(host);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof OutboundError && busyStatuses.has(error.status ?? 0);
}
