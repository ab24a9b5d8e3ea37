import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../../player/test/browser.ts';
import { freePort } from '../../server/test/free-port.ts';
import { mpegFrame } from '../../server/test/make-audio-bytes.ts';
import { type Program, startProgram } from '../../server/test/start-program.ts';
import { type CuttingProxy, openCuttingProxy } from './cutting-proxy.ts';

// A large file, a bad network, and a server that dies: the file arrives whole, and only once.

const mb = 1024 * 1024;
const fileBytes = 120 * mb;
/** Where the connection breaks: all later than the first piece, the last beyond what may be lost. */
const breaks = [36 * mb, 74 * mb, 112 * mb] as const;
/** Of a piece of 32 MB, and of what is on its way. */
const mostLostBytes = 36 * mb;
const opened = new AsyncDisposableStack();
let folder: string;
let proxy: CuttingProxy;
let port: number;
let server: Program;
let browser: Browser;

const start = (argv: readonly string[]) =>
  startProgram(argv, {
    cwd: folder,
    env: {
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${proxy.port}`,
      DATA_DIR: join(folder, 'data'),
      WORKER: 'off',
      LOG_LEVEL: 'warn',
    },
  });

const seeds = {
  users: [{ ref: 'ana', email: 'ana@example.com', password: 'correct horse' }],
  podcasts: [
    {
      ref: 'show',
      owner: 'ana',
      slug: 'show',
      title: 'Night Signals',
      episodes: [{ ref: 'e1', slug: 'e1', title: 'First light', status: 'draft' }],
    },
  ],
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-upload-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  port = await freePort();
  proxy = opened.use(await openCuttingProxy(port));
  server = start(['serve']);
  opened.defer(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });
  await Promise.all([server.ready(), writeAudio(join(folder, 'long.mp3'))]);
  await writeFile(join(folder, 'seeds.json'), JSON.stringify(seeds));
  expect(await start(['seed', 'seeds.json']).ended).toMatchObject({ code: 0 });
  browser = await launchBrowser();
  opened.defer(() => browser.close());
});
afterAll(() => opened.disposeAsync());

/** Real frames, all with different bytes. */
async function writeAudio(path: string): Promise<void> {
  const frame = mpegFrame();
  const piece = Buffer.concat(Array.from({ length: 10_000 }, () => frame));
  await using file = await open(path, 'w');
  let frames = 0;
  for (let written = 0; written < fileBytes; written += piece.length) {
    for (let at = 100; at < piece.length; at += frame.length) {
      frames += 1;
      piece.writeUInt32LE(frames, at);
    }
    await file.write(piece);
  }
}

async function openEpisode(): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${proxy.port}/app/sign-in?next=/app`);
  await page.getByLabel('Email address').fill('ana@example.com');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Night Signals' }).first().click();
  await page.getByRole('link', { name: 'First light', exact: true }).click();
  return page;
}

it('sends 120 MB over a network that breaks twice, to a server that is killed once', async () => {
  const page = await openEpisode();
  const before = proxy.sentBytes;
  const passed = (bytes: number) => proxy.passed(before + bytes);
  await page.getByLabel('Choose an audio file').setInputFiles(join(folder, 'long.mp3'));
  await passed(breaks[0]);
  proxy.cut();
  await passed(breaks[1]);
  proxy.cut();
  await passed(breaks[2]);
  server.child.kill('SIGKILL');
  await server.ended;
  await page.getByText('Paused until we can reach the server.').waitFor();
  server = start(['serve']);
  await server.ready();
  const audio = page.getByRole('region', { name: 'Audio', exact: true });
  await audio.getByText('audio/mpeg').waitFor({ timeout: 400_000 });
  // Each break costs only little: the upload never starts again.
  expect(proxy.sentBytes - before).toBeLessThan(fileBytes + breaks.length * mostLostBytes);
  const id = page.url().split('/').at(-1);
  const draft = new URL(`/app/api/episodes/${id}`, page.url());
  const { data } = await (await page.request.get(draft.href)).json();
  const address = new URL(data.audio.file_url, page.url());
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  await expectSameBytes(await fetch(address, { headers: { cookie } }), join(folder, 'long.mp3'));
}, 600_000);

async function expectSameBytes(response: Response, path: string): Promise<void> {
  expect(response.status).toBe(200);
  let [waiting, compared] = [Buffer.alloc(0), 0];
  const sent = createReadStream(path, { highWaterMark: 4 * mb });
  const received = (response.body as ReadableStream<Uint8Array>).getReader();
  for await (const piece of sent as AsyncIterable<Buffer>) {
    const pieces = [waiting];
    let length = waiting.length;
    while (length < piece.length) {
      const { value } = await received.read();
      if (value === undefined) throw new Error(`the file ends after ${compared + length} bytes`);
      pieces.push(Buffer.from(value));
      length += value.length;
    }
    const all = Buffer.concat(pieces);
    if (!all.subarray(0, piece.length).equals(piece)) {
      throw new Error(`other bytes after ${compared}`);
    }
    compared += piece.length;
    waiting = all.subarray(piece.length);
  }
  expect([waiting.length, (await received.read()).done]).toEqual([0, true]);
}
