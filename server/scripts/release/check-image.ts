import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { checkEmail } from './check-email.ts';
import type { Architecture } from './debian-packages.ts';
import { imageUser } from './image-layers.ts';
import {
  findInnerPid,
  type ImageProcess,
  killInImage,
  makeDataVolume,
  type Sandbox,
  startInImage,
  type UnpackedImage,
  unpackImage,
} from './run-image.ts';

/** Anyone: the image knows no user of this number. */
const unknownUser = 54_321;
const startWithinMs = 120_000;
const stopWithinMs = 10_000;

/**
 * Runs the image in `archive` as its own user and as an unknown one, each with an empty volume.
 * Each serves a show that is loaded from a seed file, sends an email whose link works, and stops on SIGTERM.
 * Rejects with the first thing that is wrong.
 */
export async function checkImage(archive: string, architecture: Architecture): Promise<void> {
  const image = unpackImage(archive, architecture);
  try {
    for (const user of [imageUser, unknownUser]) await checkAs(user, image);
  } finally {
    rmSync(image.folder, { recursive: true });
  }
}

async function checkAs(user: number, image: UnpackedImage): Promise<void> {
  const port = await findFreePort();
  const env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
  const sandbox = { image, user, data: makeDataVolume(image, `data-${user}`), env };
  const { Entrypoint, Cmd } = image.config;
  const server = startInImage(sandbox, [...Entrypoint, ...Cmd]);
  const said = text(server.stderr);
  try {
    await waitUntilServing(server, said);
    checkRestrictions(server, user);
    await checkReadOnly(sandbox);
    await checkShow(sandbox, env.BASE_URL);
    await checkEmail(env.BASE_URL, owner.email, sandbox.data);
    await runHealthCheck(sandbox, 0);
    await stop(server);
    await runHealthCheck(sandbox, 1);
  } finally {
    killInImage(server);
  }
}

function checkRestrictions(server: ImageProcess, user: number): void {
  const status = readFileSync(`/proc/${findInnerPid(server)}/status`, 'utf8');
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\w+)`, 'm').exec(status)?.[1];
  const found = { capabilities: Number(`0x${field('CapPrm')}`), confined: field('NoNewPrivs') };
  expectEqual('its restrictions', found, { capabilities: 0, confined: '1' });
  // For others than root, the number is mapped: it is their own outside.
  if (process.getuid?.() === 0) expectEqual('its user', field('Uid'), String(user));
}

async function checkReadOnly(sandbox: Sandbox): Promise<void> {
  const script = `
    const { accessSync, constants, readdirSync } = require('node:fs');
    const mayWrite = (path) => {
      try { accessSync(path, constants.W_OK); return true; } catch { return false; }
    };
    const folders = ['/', '/tmp', '/etc', '/opt/podstead', '/data'];
    process.stdout.write(folders.filter(mayWrite).join());`;
  const written = await run(sandbox, ['node', '-e', script]);
  expectEqual('what can be written to', written, '/data');
}

/** A show with a cover and audio needs the libraries of pictures and passwords, and a child process. */
async function checkShow(sandbox: Sandbox, url: string): Promise<void> {
  const cover = sharp({ create: { width: 1_400, height: 1_400, channels: 3, background: '#a30' } });
  writeFileSync(join(sandbox.data, 'cover.png'), await cover.png().toBuffer());
  writeFileSync(join(sandbox.data, 'seed.json'), JSON.stringify(seed), { mode: 0o644 });
  await run(sandbox, [...sandbox.image.config.Entrypoint, 'seed', '/data/seed.json']);
  const page = await request(`${url}/listen/checked`);
  if (!page.includes('First light')) throw new Error('The listen page has no episode.');
  const feed = await request(`${url}/feeds/checked.xml`);
  const audio = /<enclosure [^>]*url="([^"]+)"/.exec(feed)?.[1] ?? '';
  const image = /<itunes:image href="([^"]+)"/.exec(feed)?.[1] ?? '';
  for (const file of [audio, image]) {
    const content = await request(file);
    if (content.length < 1_000) throw new Error(`${file} has only ${content.length} characters.`);
  }
}

const owner = { ref: 'ana', email: 'ana@example.com', password: 'correct horse battery' };

const seed = {
  users: [owner],
  podcasts: [
    {
      ...{ ref: 'show', owner: 'ana', slug: 'checked', title: 'Checked' },
      artwork: 'cover.png',
      episodes: [
        {
          ...{ ref: 'first', slug: 'first-light', title: 'First light', status: 'published' },
          audio: { tone_seconds: 5 },
        },
      ],
    },
  ],
};

async function runHealthCheck(sandbox: Sandbox, expected: 0 | 1): Promise<void> {
  const [, ...argv] = sandbox.image.config.Healthcheck.Test;
  const program = startInImage(sandbox, argv);
  const [code] = await once(program, 'exit');
  expectEqual('the exit code of the health check', code, expected);
}

async function stop(server: ImageProcess): Promise<void> {
  const pid = findInnerPid(server);
  if (pid === undefined) throw new Error('The server has ended.');
  const ended = once(server, 'exit', { signal: AbortSignal.timeout(stopWithinMs) });
  process.kill(pid, 'SIGTERM');
  const [code] = await ended;
  expectEqual('the exit code after SIGTERM', code, 0);
}

/** What a command prints on standard output. */
async function run(sandbox: Sandbox, argv: readonly string[]): Promise<string> {
  const program = startInImage(sandbox, argv);
  const [printed, said, [code]] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, 'exit'),
  ]);
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${said}`);
  return printed;
}

async function request(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${url} responds with ${response.status}.`);
  return await response.text();
}

async function waitUntilServing(server: ImageProcess, said: Promise<string>): Promise<void> {
  const signal = AbortSignal.timeout(startWithinMs);
  for await (const line of createInterface({ input: server.stdout, signal })) {
    if (line.includes('"event":"listening"')) return;
  }
  killInImage(server);
  throw new Error(`The server did not start: ${await said}`);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

function expectEqual(what: string, found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`In the image, ${what} should be ${b}, and is ${a}.`);
}
