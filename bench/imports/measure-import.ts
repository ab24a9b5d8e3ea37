import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../child.ts';

export interface Asked {
  readonly url: string;
  readonly owner: string;
  readonly dryRun: boolean;
}

/** The measurements of an import by its process. */
export interface Measured {
  readonly seconds: number;
  /** The longest turn of its main thread, in CPU time. */
  readonly turnMs: number;
  /** The longest pause of its event loop, which other processes may cause. */
  readonly pauseMs: number;
  /** The result or the error, as text. */
  readonly outcome: string;
}

export interface Watched extends Measured {
  readonly slowestHealthMs: number;
}

const askEveryMs = 10;

/** Imports a feed, and requests /healthz of the same process in the meantime. */
export async function measureImport(
  server: { readonly child: Child; readonly url: string },
  asked: Asked,
): Promise<Watched> {
  let slowestHealthMs = 0;
  let isDone = false;
  const ask = async () => {
    while (!isDone) {
      slowestHealthMs = Math.max(slowestHealthMs, await timeHealth(server.url));
      await sleep(askEveryMs);
    }
  };
  const asking = ask();
  try {
    const measured = await server.child.ask<Measured>('import', asked);
    return { ...measured, slowestHealthMs };
  } finally {
    isDone = true;
    await asking;
  }
}

function timeHealth(url: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(`${url}/healthz`, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - startedAt);
        else reject(new Error(`/healthz: ${response.statusCode}`));
      });
    });
    request.on('error', reject);
  });
}
