import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTusClient } from '../../server/test/tus-client.ts';
import { answerParent, readInput } from '../answer-parent.ts';
import { Random } from '../fuzz/random.ts';
import { setSessionPriority } from './set-priority.ts';
import { type Counted, Tally } from './tally.ts';
import type { World } from './world.ts';

// Clients that reset or half-close their connections at every step of every kind of response, that
// read slowly, or write slowly.

const vanishingAtOnce = 8;
const slowAtOnce = 40;
const slowMs = 20_000;

const { url, origin, seed, noisy } = readInput<{
  readonly url: string;
  readonly origin: string;
  readonly seed: number;
  readonly noisy: World['noisy'];
}>();
setSessionPriority(10);
const port = Number(new URL(url).port);
const random = new Random(seed);
const tally = new Tally();
const over = new AbortController();
const client = createTusClient(
  () => url,
  () => noisy.cookie,
);

interface Kind {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function repeat(work: () => Promise<void>): Promise<void> {
  while (!over.signal.aborted) {
    await work().catch((error: Error) => tally.add(`client: ${error.message.slice(0, 40)}`));
  }
}

async function pickKind(): Promise<Kind> {
  const { podcastId, slug, episodeIds, paths, cookie, secret } = noisy;
  const path = random.pick(paths);
  const json = { 'content-type': 'application/json', origin };
  const kinds: readonly Kind[] = [
    { path: `/v1/podcasts/${slug}` },
    { method: 'HEAD', path: `/v1/podcasts/${slug}` },
    { path: `/v1/podcasts/${slug}/episodes?limit=1` },
    { path: '/v1/podcasts/none' },
    { path: `/feeds/${slug}.xml` },
    { path: `/listen/${slug}` },
    { path: `/ep/${episodeIds[0]}` },
    { path },
    { path, headers: { range: 'bytes=100-70000' } },
    { path, headers: { range: 'bytes=0-400000' } },
    { path, headers: { range: 'bytes=0-9999,20000-300000' } },
    { path: '/v1/me/podcasts', headers: { authorization: `Bearer ${secret}` } },
    { path: '/app' },
    { path: '/app/sign-in' },
    { path: `/app/api/podcasts/${podcastId}`, headers: { cookie } },
    { path: `/app/api/podcasts/${podcastId}/export`, headers: { cookie } },
    { path: `/app/api/events?podcast=${podcastId}`, headers: { cookie } },
    { method: 'POST', path: '/v1/sites/exchange', headers: json, body: '{"code":' },
    { method: 'POST', path: '/app/api/sign-in', headers: json, body: '{"email":"a@example.com"' },
  ];
  return random.chance(0.1) ? await beginUpload() : random.pick(kinds);
}

async function beginUpload(): Promise<Kind> {
  const length = '1000000';
  const { headers } = await client.create(Number(length), {
    purpose: 'audio',
    podcast_id: noisy.podcastId,
    episode_id: noisy.episodeIds[0] ?? '',
    filename: 'a.mp3',
  });
  const path = String(headers['location'] ?? '/app/api/uploads/none');
  // The user may have few unfinished uploads.
  void sleep(2_000).then(() => client.request('DELETE', path).catch(() => undefined));
  return {
    method: 'PATCH',
    path,
    headers: {
      ...{ origin, cookie: noisy.cookie, 'tus-resumable': '1.0.0', 'upload-offset': '0' },
      'content-type': 'application/offset+octet-stream',
      'content-length': length,
    },
    body: 'x'.repeat(100_000),
  };
}

function write({ method = 'GET', path, headers = {}, body = '' }: Kind): string {
  const address = `${11 + random.below(200)}.${random.below(256)}.0.1`;
  const forwarded = random.pick([address, address, 'unknown', '', ', ,', '::ffff:1.2.3.4, x']);
  const isLong = body === '' || 'content-length' in headers;
  const lines = Object.entries({
    ...{ host: `127.0.0.1:${port}`, 'x-forwarded-for': forwarded, ...headers },
    ...(isLong ? {} : { 'content-length': '500' }),
  }).map((one) => one.join(': '));
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

const steps: Readonly<Record<string, (socket: Socket, text: string) => Promise<unknown>>> = {
  'before a request': async () => undefined,
  'within a request': async (socket, text) => socket.write(text.slice(0, text.length / 2)),
  'within the headers': async (socket, text) => socket.write(text.slice(0, random.below(200))),
  'after a request': async (socket, text) => socket.write(text),
  'a moment after a request': async (socket, text) => {
    socket.write(text);
    await sleep(random.below(20));
  },
  'within a response': async (socket, text) => {
    socket.write(text);
    await Promise.race([once(socket, 'data'), sleep(500)]);
  },
  'within a response that is not read': async (socket, text) => {
    socket.write(text);
    await Promise.race([once(socket, 'data'), sleep(500)]);
    socket.pause();
    await sleep(50);
  },
  'within three responses': async (socket, text) => {
    socket.write(text.repeat(3));
    await Promise.race([once(socket, 'data'), sleep(500)]);
  },
};
const names = Object.keys(steps);

async function vanish(): Promise<void> {
  const text = write(await pickKind());
  const name = random.pick(names);
  const isReset = random.chance(0.5);
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  await steps[name]?.(socket, text);
  if (isReset) socket.resetAndDestroy();
  else socket.end().resume();
  await Promise.race([once(socket, 'close'), sleep(20)]);
  socket.destroy();
  tally.add(`${isReset ? 'reset' : 'half-close'} ${name}`);
}

/** Reads or writes a little every second, until the server or this client has had enough. */
async function beSlow(): Promise<void> {
  const text = write(await pickKind());
  const isReader = random.chance(0.5);
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const closed = once(socket, 'close');
  const until = Date.now() + slowMs;
  let at = 0;
  const step = async () => {
    if (isReader) {
      if (at === 0) socket.write(text);
      socket.pause().read(1_000);
    } else {
      socket.write(text.slice(at, at + 20));
    }
    at += 20;
    await Promise.race([closed, sleep(1_000, undefined, over)]);
  };
  while (Date.now() < until && !socket.destroyed) await step().catch(() => socket.destroy());
  socket.destroy();
  tally.add(isReader ? 'slow readers' : 'slow writers');
}

const vanishing = Promise.all([
  ...Array.from({ length: vanishingAtOnce }, () => repeat(vanish)),
  ...Array.from({ length: slowAtOnce }, () => repeat(beSlow)),
]);

answerParent('ready', {
  async end(): Promise<Counted> {
    over.abort();
    await vanishing;
    return tally.counted;
  },
});
