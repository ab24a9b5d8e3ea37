import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patience } from '../../../test/patience.ts';
import { type BodyRules, receiveBody } from './receive-body.ts';

function rules(more: Partial<BodyRules> = {}): BodyRules {
  return {
    contentEncoding: undefined,
    acceptEncoding: 'gzip, deflate, br',
    maxBytes: 1_000_000,
    idleTimeoutMs: 1000,
    minimumRate: { bytesPerSecond: 10, periodMs: 5000 },
    explain: (error) => error,
    onClose: () => {},
    ...more,
  };
}

describe('receiveBody', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ends with a timeout if the sender is silent', async () => {
    const source = new PassThrough();
    const body = receiveBody(source, rules());
    const read = body.toArray();
    vi.advanceTimersByTime(999);
    expect(body.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    await expect(read).rejects.toMatchObject({ reason: 'timeout' });
    expect(source.destroyed).toBe(true);
  });

  it('clears its timer when its reader stops, even if the sender never closes', async () => {
    const onClose = vi.fn();
    const neverClosing = new Readable({ read() {}, destroy() {} });
    const body = receiveBody(neverClosing, rules({ onClose }));
    neverClosing.push(Buffer.alloc(300_000, 'x'));
    for await (const _ of body) break;
    await vi.waitUntil(() => onClose.mock.calls.length > 0, patience);
    neverClosing.push('more');
    vi.advanceTimersByTime(10_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('receiveBody has no timeout while bytes arrive now and then', async () => {
    const source = new PassThrough();
    const body = receiveBody(source, rules());
    const read = body.toArray();
    for (let at = 0; at < 5; at += 1) {
      vi.advanceTimersByTime(900);
      const { promise, resolve } = Promise.withResolvers<void>();
      body.once('data', () => resolve());
      source.write('x');
      await promise;
    }
    source.end();
    expect(Buffer.concat(await read).toString()).toBe('xxxxx');
  });

  /** Sends so many bytes in each second, until they have arrived. */
  async function send(source: PassThrough, body: Readable, bytesInSeconds: readonly number[]) {
    for (const bytes of bytesInSeconds) {
      const arrived = bytes === 0 || new Promise((resolve) => body.once('data', resolve));
      if (bytes > 0) source.write(Buffer.alloc(bytes, 'x'));
      await arrived;
      vi.advanceTimersByTime(1000);
    }
  }
  const patient = { idleTimeoutMs: 1_000_000 };

  it('ends if the sender only dribbles, also after a fast beginning', async () => {
    for (const bytes of [
      [9, 9, 9, 9, 9],
      [1000, 0, 0, 0, 0, 9, 9, 9, 9, 9],
    ]) {
      const source = new PassThrough();
      const body = receiveBody(source, rules(patient));
      const read = body.toArray();
      await send(source, body, bytes.slice(0, -1));
      expect(body.destroyed).toBe(false);
      await send(source, body, [9]);
      await expect(read).rejects.toMatchObject({
        reason: 'too_slow',
        message: 'sent only 9 bytes per second for 5 s',
      });
      expect(source.destroyed).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it('measures the rate of coded bytes as they arrive', async () => {
    const source = new PassThrough();
    const body = receiveBody(source, rules({ ...patient, contentEncoding: 'gzip' }));
    const read = body.toArray();
    source.write(gzipSync(Buffer.alloc(100_000, 'x')).subarray(0, 40));
    await vi.waitUntil(() => source.readableLength === 0, patience);
    vi.advanceTimersByTime(5000);
    await expect(read).rejects.toMatchObject({ reason: 'too_slow' });
  });

  it('ends if the sender dribbles what decodes to nothing', async () => {
    const source = new PassThrough();
    const body = receiveBody(source, rules({ ...patient, contentEncoding: 'gzip' }));
    const read = body.toArray();
    // An empty member in every third second: 20 bytes.
    for (let second = 0; second < 5; second += 1) {
      if (second % 3 === 0) source.write(gzipSync(''));
      await vi.waitUntil(() => source.readableLength === 0, patience);
      vi.advanceTimersByTime(1000);
    }
    await expect(read).rejects.toMatchObject({ reason: 'too_slow' });
  });

  it('accepts a slow and steady sender, and one that makes up for a pause', async () => {
    const source = new PassThrough();
    const body = receiveBody(source, rules(patient));
    const read = body.toArray();
    await send(source, body, [10, 10, 10, 10, 10, 0, 0, 0, 0, 50, 10, 10, 10, 10, 10]);
    source.end();
    expect(Buffer.concat(await read)).toHaveLength(150);
  });

  it('receiveBody has no timeout for a slow reader', async () => {
    const source = new PassThrough();
    const body = receiveBody(source, rules());
    const bytes = Buffer.alloc(300_000, 'x');
    source.end(bytes);
    await vi.waitUntil(() => body.readableLength > 0, patience);
    vi.advanceTimersByTime(60_000);
    expect(body.destroyed).toBe(false);
    expect(Buffer.concat(await body.toArray()).equals(bytes)).toBe(true);
  });

  it('closes once, at the end or when its reader stops, and clears its timer', async () => {
    for (const leaves of [true, false]) {
      const source = new PassThrough();
      const closed = Promise.withResolvers<void>();
      const onClose = vi.fn(closed.resolve);
      const body = receiveBody(source, rules({ onClose }));
      if (leaves) body.destroy();
      else source.end('all');
      await closed.promise;
      expect(vi.getTimerCount()).toBe(0);
      expect(onClose).toHaveBeenCalledTimes(1);
      expect(source.destroyed).toBe(true);
    }
  });

  it('gives a late reader the explained error', async () => {
    const source = new PassThrough();
    const explained = new Error('explained');
    const body = receiveBody(source, rules({ explain: () => explained }));
    source.destroy(new Error('raw'));
    await vi.waitUntil(() => body.destroyed, patience);
    await expect(body.toArray()).rejects.toBe(explained);
  });

  it.each(['utf-8', 'gzip, gzip', 'zstd'])(
    'refuses the coding %s only when the body is read',
    async (contentEncoding) => {
      const source = new PassThrough();
      const body = receiveBody(source, rules({ contentEncoding }));
      source.end('text');
      await expect(body.toArray()).rejects.toMatchObject({ reason: 'unreachable' });
    },
  );
});
