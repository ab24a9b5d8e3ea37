import { setTimeout as sleep } from 'node:timers/promises';
import { createTusClient } from '../../server/test/tus-client.ts';
import { answerParent, readInput } from '../answer-parent.ts';
import type { OwnedShow } from './world.ts';

// Schedules an episode every minute, and watches the feed for it.

export interface Published {
  /** Of each episode: from its second to its first appearance. Negative: it was early. */
  readonly delaysMs: readonly number[];
  readonly failures: readonly string[];
}

const leadMs = 20_000;
const watchMs = 1_000;
const stepMs = 10;
const minuteMs = 60_000;
const patienceMs = 30_000;

const { url, show } = readInput<{ readonly url: string; readonly show: OwnedShow }>();
const client = createTusClient(
  () => url,
  () => show.cookie,
);
const delaysMs: number[] = [];
const failures: string[] = [];
const over = new AbortController();

const publishing = publishAll().catch((error: Error) => {
  if (!over.signal.aborted) failures.push(String(error.stack));
});

answerParent('ready', {
  async end(): Promise<Published> {
    over.abort();
    await publishing;
    return { delaysMs, failures };
  },
});

async function publishAll(): Promise<void> {
  const first = Math.ceil((Date.now() + leadMs) / 1_000) * 1_000;
  for (const [at, episodeId] of show.episodeIds.entries()) {
    const moment = first + at * minuteMs;
    await sleep(Math.max(0, moment - leadMs - Date.now()), undefined, over);
    const scheduled = await client.request('POST', `/app/api/episodes/${episodeId}/schedule`, {
      headers: { 'content-type': 'application/json', 'if-match': '*' },
      body: Buffer.from(JSON.stringify({ scheduled_for: new Date(moment).toISOString() })),
    });
    if (scheduled.status !== 200) failures.push(`${scheduled.status} ${scheduled.body}`);
    else await watch(episodeId, moment);
  }
}

async function watch(episodeId: string, moment: number): Promise<void> {
  await sleep(Math.max(0, moment - watchMs - Date.now()), undefined, over);
  while (Date.now() < moment + patienceMs) {
    const { status, body } = await client.request('GET', `/feeds/${show.slug}.xml`);
    if (status === 200 && body.includes(episodeId)) {
      delaysMs.push(Date.now() - moment);
      return;
    }
    await sleep(stepMs);
  }
  failures.push(`${episodeId} has not been published`);
}
