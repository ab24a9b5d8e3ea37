import { join } from 'node:path';
import { hasNginx } from '../../server/test/start-nginx.ts';
import type { Figure, Part, Run } from '../bench.ts';
import { Child } from '../child.ts';
import { connections, secondsPerRun } from '../load.ts';
import { storeAudio } from '../make-audio.ts';
import { startServe } from '../memory/running-server.ts';
import { takeResponse } from '../take-response.ts';
import { makeTempFolder } from '../temp-folder.ts';
import type { BareResponse, BareServer } from './bare-server.ts';
import { startNginx } from './nginx.ts';
import { compareSides, describeRates, pairs, type Side } from './rates.ts';

/** 32 kbit/s: 8 MB. */
const toneSeconds = 2_000;
const range = { start: 1_048_576, end: 1_114_111 };
const small = { name: '64 KB ranges', headers: { Range: `bytes=${range.start}-${range.end}` } };
const scenarios = [
  { name: 'whole', headers: {}, status: 200 },
  { name: '1 MB ranges', headers: { Range: 'bytes=1048576-2097151' }, status: 206 },
  { ...small, status: 206 },
] as const;

export const mediaPart: Part = {
  name: 'media',
  about: 'audio from Podstead against one nginx worker that sends the same file',
  async measure(run) {
    const title = `Audio of 8 MB: one nginx worker = 1 (${connections} connections, ${pairs} pairs of ${secondsPerRun} s)`;
    if (!hasNginx) return [{ title, figures: [], remarks: ['nginx is not installed'] }];
    await using folder = await makeTempFolder();
    const place = { dataDir: folder.path };
    const { path, blobKey } = await storeAudio(place, toneSeconds);
    const blobs = join(folder.path, 'blobs');
    await using nginx = await startNginx(`location / { root ${blobs}; }`, run.signal);
    const theirs = { url: `${nginx.url}/${blobKey}`, pids: [nginx.pid] };
    const figures: Figure[] = [];
    {
      await using server = await startServe({ ...place, signal: run.signal });
      const ours = { url: server.url + path, pids: [server.pid] };
      for (const scenario of scenarios)
        figures.push(...(await compare(run, scenario, ours, theirs)));
    }
    const remarks = [await measureLimit(run, theirs, join(blobs, blobKey))];
    return [{ title, figures, remarks }];
  },
};

async function compare(
  { say, signal }: Run,
  { name, headers, status }: (typeof scenarios)[number],
  ours: Side,
  theirs: Side,
): Promise<Figure[]> {
  say(`  ${name}`);
  const bodies = [];
  for (const { url } of [ours, theirs]) {
    const response = await takeResponse({ url, headers }, signal);
    if (response.status !== status) throw new Error(`${url} responded ${response.status}`);
    bodies.push(response.body);
  }
  if (bodies[0] !== bodies[1]) throw new Error('the two servers send different bytes');
  const runs = await compareSides(ours, theirs, headers, signal);
  return describeRates({ name, theirs: 'nginx', aim: { atLeast: 0.7 } }, runs);
}

/** A remark that says what a server on node:http reaches that does nothing else. */
async function measureLimit({ say, signal }: Run, theirs: Side, file: string): Promise<string> {
  say('  a bare server');
  const script = new URL('bare-server.ts', import.meta.url);
  const response: BareResponse = { ...range, file };
  const { child, ready } = await Child.start<BareServer>(script, response, signal);
  await using _child = child;
  const ours = { url: ready.url, pids: [ready.pid] };
  const runs = await compareSides(ours, theirs, small.headers, signal);
  const ratios = describeRates({ name: small.name, theirs: 'nginx' }, runs).map(
    ({ value, note }) => `${value.toFixed(2)} (${note})`,
  );
  return `A bare node:http server that sends the same range: ${ratios.join(', per processor time ')}.`;
}
