import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startBodyDeadline, withoutBodyDeadline } from './body-deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const bodyOf = (headers: IncomingMessage['headers']) =>
  Object.assign(new EventEmitter(), {
    headers,
    complete: false,
    destroyed: false,
    resume: vi.fn(),
  });

function watch(request: ReturnType<typeof bodyOf>) {
  const end = vi.fn();
  startBodyDeadline(request as unknown as IncomingMessage, end);
  return end;
}

describe('the deadline of a body', () => {
  it.each([{ 'content-length': '5' }, { 'transfer-encoding': 'chunked' }])(
    'the deadline of a body ends a request with %j that does not arrive',
    (headers) => {
      const end = watch(bodyOf(headers));
      vi.advanceTimersByTime(29_999);
      expect(end).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(end).toHaveBeenCalledOnce();
    },
  );

  it('the deadline of a body ends no request whose body has arrived, that has no body, or that is closed', () => {
    const whole = bodyOf({ 'content-length': '5' });
    const closed = bodyOf({ 'content-length': '5' });
    const ends = [
      watch(whole),
      watch(closed),
      watch(bodyOf({})),
      watch(bodyOf({ 'content-length': '0' })),
    ];
    whole.complete = true;
    closed.emit('close');
    vi.advanceTimersByTime(60_000);
    for (const end of ends) expect(end).not.toHaveBeenCalled();
  });

  it('pauses while a handler reads, and starts again for the unread rest', async () => {
    const request = bodyOf({ 'content-length': '5' });
    const end = watch(request);
    const { promise, resolve } = Promise.withResolvers<void>();
    const handled = withoutBodyDeadline(request as unknown as IncomingMessage, () => promise);
    vi.advanceTimersByTime(3_600_000);
    expect(end).not.toHaveBeenCalled();
    resolve();
    await handled;
    expect(request.resume).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(30_000);
    expect(end).toHaveBeenCalledOnce();
  });
});
