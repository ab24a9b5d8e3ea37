import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent, readInput } from '../answer-parent.ts';
import { setSessionPriority } from './set-priority.ts';
import type { ServedShow } from './world.ts';

// A reader of the flooded show: a page that is in no cache, then a search, one each second.

export interface Read {
  /** Milliseconds. */
  readonly pages: readonly number[];
  readonly searches: readonly number[];
  readonly failures: readonly string[];
}

const everyMs = 1_000;
const patienceMs = 30_000;

const { url, flooded } = readInput<{ readonly url: string; readonly flooded: ServedShow }>();
// As if it was another machine.
setSessionPriority(-10);
const read = { pages: [] as number[], searches: [] as number[], failures: [] as string[] };
let isOver = false;
const reading = readAll();

answerParent('ready', {
  async end(): Promise<Read> {
    isOver = true;
    await reading;
    return read;
  },
});

async function readAll(): Promise<void> {
  for (let count = 0; !isOver; count += 1) {
    await time(`?reader=${count}`, read.pages);
    await sleep(everyMs);
    await time(`?q=episode+${count}`, read.searches);
    await sleep(everyMs);
  }
}

async function time(query: string, times: number[]): Promise<void> {
  const from = performance.now();
  try {
    const response = await fetch(`${url}/listen/${flooded.slug}${query}`, {
      headers: { 'x-forwarded-for': '192.0.2.9' },
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.text();
    if (response.status !== 200) read.failures.push(`${response.status} ${query}`);
  } catch (error) {
    read.failures.push(`${query}: ${error}`);
  }
  times.push(performance.now() - from);
}
