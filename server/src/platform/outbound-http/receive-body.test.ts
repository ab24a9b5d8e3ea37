import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patience } from '../../../test/patience.ts';
import { type BodyRules, receiveBody } from './receive-body.ts';

function rules(more: Partial<BodyRules> = {}): BodyRules {
  return {
    contentEncoding: undefined,
    maxBytes: 1_000_000,
    idleTimeoutMs: 1000,
    explain: (error) => error,
    onClose: () => {},
    ...more,
  };
}

describe('receiveBody', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
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

  it('has no timeout while bytes arrive now and then', async () => {
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

  it('has no timeout for a slow reader', async () => {
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
});
