import { Agent, get, request } from 'node:http';
import type { App } from '../../server/src/app.ts';
import { createUser } from '../../server/src/domain/foundation/accounts/index.ts';
import type { Figure, Part } from '../bench.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { makeAudio } from '../make-audio.ts';
import { median } from '../median.ts';
import { type RunningServer, startServe } from '../memory/running-server.ts';
import { makeTempFolder } from '../temp-folder.ts';

const people = 37;
const password = 'correct horse battery staple';
const listeners = 4;
const pieceBytes = 64 * 1024;
const quietRequests = 2_000;
/** Longer than all requested pieces together. */
const toneSeconds = 600;
const pieces = 30;

export const mediaPart: Part = {
  name: 'media',
  about: `pieces of audio while ${people} people sign in at once`,
  async measure({ say, signal }) {
    await using folder = await makeTempFolder();
    let path: string;
    {
      await using app = await openInstallation({ dataDir: folder.path });
      path = await fill(app);
    }
    const settings = { TRUST_PROXY: '1' };
    await using server = await startServe({ dataDir: folder.path, settings, signal });
    const listening = (until: (count: number) => boolean) => listen(server.url + path, until);
    await listening((count) => count >= quietRequests / 4);
    const quiet = await listening((count) => count >= quietRequests);
    say(`  ${people} people sign in`);
    const from = performance.now();
    let takenMs = 0;
    const all = signInAll(server).finally(() => {
      takenMs = performance.now() - from;
    });
    const busy = await listening(() => takenMs > 0);
    await all;
    const figures: Figure[] = [
      ...describe('alone', quiet),
      ...describe('while they sign in', busy),
      { name: `all ${people} are signed in after`, value: takenMs, unit: 'ms' },
    ];
    return [{ title: `Pieces of ${pieceBytes / 1024} KiB, ${listeners} listeners`, figures }];
  },
};

async function fill(app: App): Promise<string> {
  const { ctx } = app;
  for (let n = 0; n < people; n += 1) await createUser(ctx, { email: emailOf(n), password });
  return await makeAudio(app, toneSeconds);
}

const emailOf = (n: number) => `person-${n}@example.com`;

/** Returns the time of each piece until its last byte, in milliseconds. */
async function listen(url: string, until: (count: number) => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const listener = async (first: number) => {
    for (let n = first; !until(times.length); n += listeners) {
      const start = (n % pieces) * pieceBytes;
      const range = `bytes=${start}-${start + pieceBytes - 1}`;
      const startedAt = performance.now();
      await readPiece(url, agent, range);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: listeners }, (_, n) => listener(n)));
  agent.destroy();
  return times;
}

function readPiece(url: string, agent: Agent, range: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { range } }, (response) => {
      if (response.statusCode !== 206) reject(new Error(`${url}: ${response.statusCode}`));
      response.on('end', resolve).on('error', reject).resume();
    }).on('error', reject);
  });
}

/** Signs in each user from another network, because attempts are limited by network. */
async function signInAll({ url }: RunningServer): Promise<void> {
  const origin = `http://localhost:${new URL(url).port}`;
  await Promise.all(Array.from({ length: people }, (_, n) => signIn(url, origin, n)));
}

function signIn(url: string, origin: string, n: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      origin,
      'content-type': 'application/json',
      'x-forwarded-for': `198.51.${n}.7`,
    };
    request(`${url}/app/api/sign-in`, { method: 'POST', headers, agent: false }, (response) => {
      if (response.statusCode !== 204) reject(new Error(`sign-in: ${response.statusCode}`));
      response.on('end', resolve).resume();
    })
      .on('error', reject)
      .end(JSON.stringify({ email: emailOf(n), password }));
  });
}

function describe(name: string, times: readonly number[]): Figure[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  const note = `${times.length} pieces`;
  return [
    { name: `${name}: median`, value: median(times), unit: 'ms', note },
    { name: `${name}: 99 of 100 within`, value: at(0.99), unit: 'ms' },
    { name: `${name}: longest`, value: at(1), unit: 'ms' },
  ];
}
