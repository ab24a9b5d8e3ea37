import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { patience } from '../../../test/patience.ts';
import { systemClock } from '../clock/clock.ts';
import { createLog } from '../log/log.ts';
import { connectRedis } from './connect-redis.ts';
import { createRedisLimiter } from './create-redis-limiter.ts';
import { createRedisQuotas } from './create-redis-quotas.ts';

type Reply = string | ((socket: Socket) => void);

/** Writes the same for ever, as fast as it is taken. */
const forever = (head: string) => (socket: Socket) => {
  const chunk = 'a'.repeat(1024 * 1024);
  const write = (): void => {
    if (!socket.destroyed) socket.write(chunk, write);
  };
  socket.write(head, write);
};
const replies: Readonly<Record<string, Reply>> = {
  'a text': '$3\r\nabc\r\n',
  'too few numbers': '*1\r\n:1\r\n',
  'texts for numbers': '*3\r\n$1\r\n1\r\n$1\r\n1\r\n$1\r\n1\r\n',
  nothing: '$-1\r\n',
  'no list': '*-1\r\n',
  'a list in a list': `${'*1\r\n'.repeat(5_000)}:1\r\n`,
  'a list of a billion': '*1000000000\r\n',
  'half a number': ':1',
  junk: '?!\u0000\r\n\r\n',
  'an error': '-ERR no\r\n',
  'a line without an end': forever('+'),
  'a text of half a gigabyte': forever('$536870912\r\n'),
  silence: () => undefined,
  'an end of the connection': (socket) => socket.destroy(),
};

let opened: AsyncDisposableStack;
let reply: Reply;
let url: string;
let taken: number;

/** Responds like Redis until a script is to be run. */
function respond(socket: Socket, text: string): void {
  for (const [, name = ''] of text.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
    if (name.toLowerCase() !== 'eval') socket.write('$9\r\nloading:0\r\n');
    else if (typeof reply === 'string') socket.write(reply);
    else reply(socket);
  }
}

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  taken = 0;
  const server = createServer((socket) => {
    opened.defer(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => respond(socket, bytes.toString('latin1')));
    socket.on('close', () => {
      taken = Math.max(taken, socket.bytesWritten);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(() => void server.close());
  url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => opened.disposeAsync());

describe('hostile responses of Redis', () => {
  it.each(Object.keys(replies))('%s: this process counts alone', async (name) => {
    reply = replies[name] ?? '';
    const faults: string[] = [];
    const onFault = ({ message }: Error) => faults.push(message);
    const redis = await connectRedis(url, { onFault });
    opened.defer(() => redis.disconnect());
    const shared = { redis, prefix: 'p:', onFault, clock: systemClock };
    const quotas = createRedisQuotas(shared);
    const nowMs = Date.now();
    const results = [];
    for (let n = 0; n < 3; n += 1) results.push(await quotas.consume('ana', 2, nowMs));
    expect(results.map(({ allowed }) => allowed)).toEqual([true, true, false]);
    expect(results.every(({ resetsInMs }) => Number.isSafeInteger(resetsInMs))).toBe(true);

    await expect.poll(() => redis.status, patience).toBe('ready');
    await using limiter = createRedisLimiter({ ...shared, limit: 2, flushEveryMs: 1_000_000 });
    for (const expected of [true, true, false]) {
      expect(limiter.consume('192.0.2.1', nowMs)).toBe(expected);
      await limiter.flush();
    }
    expect(faults.length).toBeGreaterThan(0);
    if (name === 'a text of half a gigabyte') {
      await expect.poll(() => taken, patience).toBeGreaterThan(0);
      expect(taken).toBeLessThan(128 * 1024 * 1024);
    }
  });
});

it.each([
  "-READONLY You can't write against a read only replica.\r\n",
  '-ERR Error running script: @user_script:5: -READONLY You can not write.\r\n',
])('a connection to a server that has become a replica is replaced (%j)', async (refusal) => {
  reply = refusal;
  const onFault = () => undefined;
  const redis = await connectRedis(url, { onFault });
  opened.defer(() => redis.disconnect());
  const closed = once(redis, 'close');
  const quotas = createRedisQuotas({ redis, prefix: 'p:', onFault, clock: systemClock });
  await quotas.consume('ana', 2, Date.now());
  await closed;
  reply = '*3\r\n:1\r\n:1\r\n:1000\r\n';
  await expect.poll(() => redis.status, patience).toBe('ready');
});

it('a password that Redis refuses is not logged', async () => {
  const refusing = createServer((socket) => {
    opened.defer(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('-WRONGPASS invalid username-password pair\r\n'));
  }).listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  opened.defer(() => void refusing.close());
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const { port } = refusing.address() as AddressInfo;
  const redis = await connectRedis(`redis://user:hunter2@127.0.0.1:${port}`, {
    onFault: (err) => log.warn({ err }, 'Redis is away'),
  });
  opened.defer(() => redis.disconnect());
  await expect.poll(() => lines.join(''), patience).toContain('WRONGPASS');
  expect(lines.join('')).not.toContain('hunter2');
});
