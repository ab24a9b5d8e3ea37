import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent, readInput } from '../answer-parent.ts';
import { setSessionPriority } from './set-priority.ts';

// Polls /healthz, and does nothing else. A response's time begins when its request was planned. Each
// poll has a connection of its own, which a later one uses again: over a single one, polls that take
// longer than the time between them would wait for each other here, and not in the server.

export interface Polled {
  /** Milliseconds, in order of the polls. */
  readonly kept: readonly number[];
  /** The same over new connections. */
  readonly fresh: readonly number[];
  /** The slowest of both kinds, with the time of their end. */
  readonly slowest: readonly (readonly [string, number])[];
  /** How late this process itself woke. */
  readonly lateMs: readonly number[];
  readonly failures: readonly string[];
}

const everyMs = 20;
const freshEveryMs = 2_000;
const mostSlowest = 10;

const { url } = readInput<{ readonly url: string }>();
const agent = new Agent({ keepAlive: true });
const polled = {
  kept: [] as number[],
  fresh: [] as number[],
  slowest: [] as (readonly [string, number])[],
  lateMs: [] as number[],
  failures: [] as string[],
};
let isOver = false;

// As if it was another machine: the generators of load do not delay it.
setSessionPriority(-10);

const polling = Promise.all([
  pollEvery(everyMs, agent, polled.kept),
  pollEvery(freshEveryMs, undefined, polled.fresh),
]);

answerParent('ready', {
  async end(): Promise<Polled> {
    isOver = true;
    await polling;
    agent.destroy();
    return polled;
  },
});

async function pollEvery(stepMs: number, by: Agent | undefined, times: number[]): Promise<void> {
  const open = new Set<Promise<void>>();
  for (let planned = performance.now() + stepMs; !isOver; planned += stepMs) {
    const early = planned - performance.now();
    if (early > 0) {
      await sleep(early);
      polled.lateMs.push(performance.now() - planned);
    }
    const polling = poll(by, planned, times).finally(() => open.delete(polling));
    open.add(polling);
  }
  await Promise.all(open);
}

function poll(by: Agent | undefined, planned: number, times: number[]): Promise<void> {
  const at = times.push(Number.POSITIVE_INFINITY) - 1;
  return new Promise((resolve) => {
    const fail = (reason: string) => {
      polled.failures.push(`${new Date().toISOString()} ${reason}`);
      resolve();
    };
    get(`${url}/healthz`, { agent: by ?? false }, (response) => {
      response.resume().on('end', () => {
        times[at] = performance.now() - planned;
        noteTime(times[at]);
        if (response.statusCode === 200) resolve();
        else fail(String(response.statusCode));
      });
    }).on('error', (error) => fail(error.message));
  });
}

function noteTime(ms: number): void {
  const { slowest } = polled;
  if (ms <= (slowest.at(mostSlowest - 1)?.[1] ?? 0)) return;
  slowest.push([new Date().toISOString(), ms]);
  slowest.sort(([, a], [, b]) => b - a);
  slowest.splice(mostSlowest);
}
