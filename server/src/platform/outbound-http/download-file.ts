import { setTimeout as systemDelay } from 'node:timers/promises';
import { DownloadAttempt, type DownloadedFile, type DownloadOptions } from './download-attempt.ts';
import { OutboundError, type OutboundHttp } from './outbound-http.ts';
import { discardPartial, passOnPartial } from './partial-download.ts';

export type { DownloadedFile, DownloadOptions };
export { discardPartial, passOnPartial };

const mostRetries = 5;
const firstPauseMs = 500;

/**
 * Downloads `url` to the file `path`. If it fails or the process is killed, the partial file stays,
 * with a note beside it (`path + '.json'`); the next call with the same URL continues it, unless
 * the file has changed. A broken connection is retried a few times, while each attempt makes
 * progress; one that is reset before the first byte is retried once. Call it only once at a time for a path. Throws OutboundError.
 */
export async function downloadFile(
  outbound: OutboundHttp,
  url: string,
  path: string,
  options: DownloadOptions,
): Promise<DownloadedFile> {
  const deadline = performance.now() + options.timeoutMs;
  const delay = options.delay ?? defaultDelay;
  let isReset = false;
  for (let retries = 0; ; retries += 1) {
    const attempt = new DownloadAttempt(outbound, url, path, options, deadline);
    try {
      return await attempt.run();
    } catch (error) {
      if (error instanceof OutboundError && error.reason === 'too_large')
        await discardPartial(path);
      const another = attempt.isWorthAnother(error);
      if (retries === mostRetries || another === 'no' || (another === 'once' && isReset))
        throw error;
      isReset ||= another === 'once';
    }
    const pauseMs = Math.min(firstPauseMs * 2 ** retries, deadline - performance.now());
    await delay(pauseMs, options.signal);
  }
}

async function defaultDelay(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  await systemDelay(delayMs, undefined, signal === undefined ? {} : { signal });
}
