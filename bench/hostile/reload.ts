import { answerParent, readInput } from '../answer-parent.ts';
import { Sender } from '../fuzz/send.ts';
import { setSessionPriority } from './set-priority.ts';
import { type Counted, Tally } from './tally.ts';
import type { ServedShow } from './world.ts';

// One client requests the page of a show again and again, each time with an address that no cache has.

const connections = 60;

const { url, flooded } = readInput<{ readonly url: string; readonly flooded: ServedShow }>();
// As in flood.ts.
setSessionPriority(10);
const sender = new Sender(url, connections);
const tally = new Tally();
let count = 0;
let isOver = false;
const reloading = Promise.all(Array.from({ length: connections }, reload));

answerParent('ready', {
  async end(): Promise<Counted> {
    isOver = true;
    await reloading;
    sender[Symbol.dispose]();
    return tally.counted;
  },
});

async function reload(): Promise<void> {
  const headers = { 'x-forwarded-for': '203.0.113.66', 'user-agent': 'Mozilla/5.0' };
  while (!isOver) {
    count += 1;
    const target = `/listen/${flooded.slug}?x=${count}`;
    const { status, text } = await sender.send({ method: 'GET', target, headers, body: undefined });
    tally.addResponse(status, () => `${target} ${text.slice(-400)}`);
  }
}
