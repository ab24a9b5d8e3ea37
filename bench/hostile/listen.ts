import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent, readInput } from '../answer-parent.ts';
import { addressOf, plans, rangeOf, requestRange } from '../downloads/ranges.ts';
import type { ServedShow } from './world.ts';

// Honest listeners of several shows. Each has an address of its own.

export interface Listened {
  /** Of each show, in order. */
  readonly downloads: readonly number[];
  readonly listeners: number;
  readonly repeated: number;
}

const atOnce = 2;
const pauseMs = 100;

const { url, shows, isDirect } = readInput<{
  readonly url: string;
  /** No proxy names the clients: each sends from a loopback address of its own, which Linux allows. */
  readonly isDirect: boolean;
  readonly shows: readonly ServedShow[];
}>();
const agent = new Agent({ keepAlive: !isDirect });
const addressOfListener = (number: number) =>
  isDirect ? addressOf(number).replace(/^10\./, '127.') : addressOf(number);
const downloads = shows.map(() => 0);
let [listeners, repeated] = [0, 0];
let isOver = false;

const listening = Promise.all(Array.from({ length: atOnce }, listen));

answerParent('ready', {
  async end(): Promise<Listened> {
    isOver = true;
    await listening;
    agent.destroy();
    return { downloads, listeners, repeated };
  },
});

async function listen(): Promise<void> {
  while (!isOver) {
    const number = listeners;
    listeners += 1;
    const at = number % shows.length;
    const show = shows[at]!;
    // Not the same remainder as that of the show, so that every show gets every plan.
    const plan = plans[Math.floor(number / shows.length) % plans.length]!;
    const path = show.paths[number % show.paths.length]!;
    for (const part of plan.ranges) {
      const address = addressOfListener(number);
      const job = { path, range: rangeOf(show, part), address, isDirect };
      while (!(await requestRange(url, job, agent))) {
        repeated += 1;
        await sleep(pauseMs);
      }
    }
    if (plan.counts) downloads[at] = (downloads[at] ?? 0) + 1;
    await sleep(pauseMs);
  }
}
