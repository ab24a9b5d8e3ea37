import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure, Part, Run } from '../bench.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { aims, type BenchPlace, eachKind, inMegabytes } from './databases.ts';
import { describeMemory } from './describe-memory.ts';
import { type Memory, startServe } from './running-server.ts';

const shows = 10;
const episodes = 200;
const requests = 200_000;
const samples = 4;
const connections = 16;

export const requestsPart: Part = {
  name: 'requests',
  about: `what a process takes after ${requests.toLocaleString('en')} requests of all kinds`,
  async measure(run) {
    const figures: Figure[] = [];
    for await (const place of eachKind(run.say)) {
      await using _place = place;
      run.say(`  ${place.name}: making ${shows} shows of ${episodes} episodes`);
      await fill(place, run.signal);
      const taken = await measurePlace(place, run);
      figures.push(
        ...describeMemory(place.name, taken.last, { peak: aims[place.kind].loaded }),
        ...taken.on.map((memory, i) => ({
          name: `${place.name}: resident after ${((i + 1) * requests) / samples}`,
          value: inMegabytes(memory.rss),
          unit: 'MB' as const,
        })),
      );
    }
    return [{ title: `Memory after ${requests.toLocaleString('en')} requests`, figures }];
  },
};

async function fill(place: BenchPlace, signal: AbortSignal): Promise<void> {
  await using app = await openInstallation(place);
  for (let i = 0; i < shows; i += 1) {
    const size = { slug: `show-${i}`, episodes, notesChars: 3_000, distinctNotes: episodes };
    await fillShow(app, size, signal);
  }
}

async function measurePlace(
  place: BenchPlace,
  { say, signal }: Run,
): Promise<{ readonly last: Memory; readonly on: readonly Memory[] }> {
  await using server = await startServe({ ...place, signal });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const on: Memory[] = [];
  let next = 0;
  for (let sample = 1; sample <= samples; sample += 1) {
    const end = (sample * requests) / samples;
    const client = async () => {
      while (next < end) {
        signal.throwIfAborted();
        next += 1;
        await readPatiently(server.url + pathOf(next), agent);
      }
    };
    await Promise.all(Array.from({ length: connections }, client));
    const memory = await server.memory();
    on.push(memory);
    const rss = Math.round(inMegabytes(memory.rss));
    say(`    after ${end}: ${rss} MB`);
  }
  agent.destroy();
  return { last: await server.memory(), on };
}

/** Cached pages and responses, lists that are never cached, and sometimes a feed. */
function pathOf(n: number): string {
  const slug = `show-${n % shows}`;
  const episode = `episode-${1 + ((n * 7) % episodes)}`;
  if (n % 500 === 0) return `/feeds/${slug}.xml`;
  switch (n % 8) {
    case 0:
      return `/v1/podcasts/${slug}/episodes?season=${1 + (n % 4)}&limit=${5 + (n % 20)}`;
    case 1:
      return `/listen/${slug}/${episode}`;
    case 2:
      return `/listen/${slug}`;
    case 3:
      return `/v1/podcasts/${slug}/episodes/${episode}`;
    default:
      return `/v1/podcasts/${slug}${n % 2 === 0 ? '' : '/episodes'}`;
  }
}

/** Retries, because on a busy machine a process may be without its database for a while. */
async function readPatiently(url: string, agent: Agent): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const status = await read(url, agent);
    if (status === 200) return;
    if (status !== 503 || tries === 5) throw new Error(`${url}: ${status}`);
    await sleep(1_000);
  }
}

/** Resolves with the status when the whole response is there. */
function read(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
      const { statusCode } = response;
      response
        .on('end', () => resolve(statusCode))
        .on('error', reject)
        .resume();
    });
    request.on('error', reject);
  });
}
