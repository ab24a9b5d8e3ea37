import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure, Part, Run } from '../bench.ts';
import { storeAudio } from '../make-audio.ts';
import { aims, type BenchPlace, eachKind, inMegabytes } from '../memory/databases.ts';
import { type RunningServer, startServe } from '../memory/running-server.ts';

const listeners = 10_000;
/** Each player requests about half a minute at a time, over a keep-alive connection. */
const pieceBytes = 125_000;
const pieces = 2;
const toneSeconds = 120;
const requestsAtOnce = 64;
const countedWithinMs = 300_000;

export const listenersPart: Part = {
  name: 'listeners',
  about: `what a process takes with ${listeners.toLocaleString('en')} listeners connected`,
  async measure(run) {
    const figures: Figure[] = [];
    for await (const place of eachKind(run.say)) {
      await using _place = place;
      run.say(`  ${place.name}`);
      figures.push(...(await measurePlace(place, run)));
    }
    return [{ title: `${listeners.toLocaleString('en')} listeners at once`, figures }];
  },
};

async function measurePlace(place: BenchPlace, { say, signal }: Run): Promise<Figure[]> {
  const { path } = await storeAudio(place, toneSeconds);
  await using server = await startServe({ ...place, settings: { TRUST_PROXY: '1' }, signal });
  const before = await server.memory();
  const agents = Array.from(
    { length: listeners },
    () => new Agent({ keepAlive: true, maxSockets: 1 }),
  );
  const startedAt = performance.now();
  for (let piece = 0; piece < pieces; piece += 1) {
    await listenOnce(agents, server.url + path, piece, signal);
    say(`    each has heard ${((piece + 1) * pieceBytes) / 4_000} s`);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const connected = await server.memory();
  const kept = agents.filter(({ freeSockets }) => Object.keys(freeSockets).length > 0).length;
  const counted = await untilCounted(server, signal);
  const after = await server.memory();
  for (const agent of agents) agent.destroy();
  const figure = (name: string, value: number): Figure => ({
    name: `${place.name}: ${name}`,
    value: inMegabytes(value),
    unit: 'MB',
  });
  return [
    figure('resident before', before.rss),
    { ...figure('resident with all connected', connected.rss), note: `${kept} connections` },
    {
      ...figure('peak', after.peak),
      aim: aims[place.kind].loaded,
      note: `${Math.round((listeners * pieces) / seconds)} requests a second`,
    },
    {
      name: `${place.name}: downloads counted of those made`,
      value: counted / listeners,
      unit: 'ratio',
      aim: { atLeast: 1 },
    },
  ];
}

/** Every listener gets one piece, a limited number at a time. */
async function listenOnce(
  agents: readonly Agent[],
  url: string,
  piece: number,
  signal: AbortSignal,
): Promise<void> {
  const start = piece * pieceBytes;
  const range = `bytes=${start}-${start + pieceBytes - 1}`;
  let next = 0;
  const client = async () => {
    for (let n = next++; n < agents.length; n = next++) {
      signal.throwIfAborted();
      const address = `10.${n >>> 16}.${(n >>> 8) & 255}.${n & 255}`;
      const headers = { Range: range, 'X-Forwarded-For': address, 'User-Agent': 'AntennaPod/3.4' };
      await readPatiently(url, { agent: agents[n], headers });
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, client));
}

/** Retries with a new connection, because a slow machine may close idle ones. */
async function readPatiently(url: string, options: Parameters<typeof get>[1]): Promise<void> {
  try {
    await read(url, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    await read(url, options);
  }
}

function read(url: string, options: Parameters<typeof get>[1]): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, options, (response) => {
      if (response.statusCode !== 206) reject(new Error(`${url}: ${response.statusCode}`));
      response.on('end', resolve).on('error', reject).resume();
    });
    request.on('error', reject);
  });
}

/** Resolves with the number of downloads once nothing waits to be counted. */
async function untilCounted(server: RunningServer, signal: AbortSignal): Promise<number> {
  const until = performance.now() + countedWithinMs;
  while ((await server.metric('podstead_downloads_lag_seconds')) > 0) {
    if (performance.now() > until) throw new Error('downloads are not counted');
    await sleep(500, undefined, { signal });
  }
  return await server.metric('podstead_downloads_counted_total');
}
