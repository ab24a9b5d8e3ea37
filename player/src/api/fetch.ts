import type { PlayerFailure } from '../../index.d.ts';

const timeoutMs = 20_000;

export class LoadError extends Error {
  readonly failure: PlayerFailure;

  constructor(failure: PlayerFailure, options?: ErrorOptions) {
    super(failure, options);
    this.failure = failure;
  }
}

const underWay = new Map<string, Promise<string>>();

/** Fetches JSON; throws LoadError. */
export async function fetchJson<T>(url: string): Promise<T> {
  const text = await fetchText(url);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LoadError('failed', { cause });
  }
}

/**
 * Players on one page share concurrent requests. With `integrity`, other bytes are refused. Throws
 * LoadError.
 */
export function fetchText(url: string, integrity = ''): Promise<string> {
  let response = underWay.get(url);
  if (!response) {
    response = request(url, integrity).finally(() => underWay.delete(url));
    underWay.set(url, response);
  }
  return response;
}

/** Without credentials: CORS opens public responses to every page, but only without them. */
async function request(url: string, integrity: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { credentials: 'omit', integrity, signal });
    if (response.ok) return await response.text();
    throw new LoadError(failureOf(response.status));
  } catch (cause) {
    if (cause instanceof LoadError) throw cause;
    throw new LoadError(navigator.onLine ? 'failed' : 'offline', { cause });
  }
}

function failureOf(status: number): PlayerFailure {
  if (status === 400 || status === 404) return 'notFound';
  if (status === 403) return 'unavailable';
  return status === 429 ? 'busy' : 'failed';
}
