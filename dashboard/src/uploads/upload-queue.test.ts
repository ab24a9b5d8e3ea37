import { beforeEach, describe, expect, it, vi } from 'vitest';
import { patience } from '../../../server/test/patience.ts';
import { ApiError } from '../api/errors.ts';
import type { SendOptions } from './send-file.ts';
import type { StoredUpload, UploadTarget } from './upload-item.ts';
import { UploadQueue } from './upload-queue.ts';

const target: UploadTarget = { purpose: 'audio', podcastId: 'p', episodeId: 'e' };
const file = (name = 'a.mp3') => new File(['0123456789'], name);
const refusal = (status: number, reason?: string) =>
  new ApiError({
    status,
    code: 'x',
    message: 'Refused.',
    details: reason === undefined ? [] : [{ field: 'upload_id', message: '', reason }],
  });

/** One call of `send`, whose response the test sends. */
type Sending = SendOptions & { resolve(): void; reject(error: unknown): void };

let stored: Map<string, StoredUpload>;
let sent: Sending[];
let waits: (() => void)[];
let pausesMs: number[];
let nowMs: number;
let finish: ReturnType<typeof vi.fn>;
let removed: string[];
let signIn: PromiseWithResolvers<void>;

function openQueue(): UploadQueue {
  return new UploadQueue({
    userId: 'u',
    store: {
      list: () => [...stored.values()],
      put: (upload) => void stored.set(upload.id, upload),
      remove: (id) => void stored.delete(id),
    },
    clock: {
      now: () => nowMs,
      random: () => 0,
      after(ms, work) {
        waits.push(work);
        pausesMs.push(ms);
        return () => {};
      },
    },
    fingerprint: async ({ name }) => `print of ${name}`,
    hash: async () => 'f00d',
    send: (options) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      sent.push({ ...options, resolve, reject });
      options.signal.addEventListener('abort', () => reject(options.signal.reason));
      return promise;
    },
    finish: finish as never,
    remove: async (url) => void removed.push(url),
    whenSignedIn: () => signIn.promise,
    onReady: () => {},
  });
}

beforeEach(() => {
  stored = new Map();
  [sent, waits, removed, pausesMs, nowMs] = [[], [], [], [], 0];
  finish = vi.fn(async () => ({ revision: 2, uploadId: '1' }));
  signIn = Promise.withResolvers();
});

const stateOf = (queue: UploadQueue, at = 0) => queue.list()[at]?.state;
const until = (queue: UploadQueue, kind: string, at = 0) =>
  vi.waitFor(() => expect(stateOf(queue, at)?.kind).toBe(kind), patience);
const next = async (count: number) => {
  await vi.waitFor(() => expect(sent).toHaveLength(count), patience);
  return sent[count - 1] as Sending;
};

describe('an upload', () => {
  it('an upload is sent, then checked, then ready', async () => {
    const queue = openQueue();
    const checked = Promise.withResolvers<unknown>();
    finish.mockReturnValue(checked.promise);
    await queue.add(file(), target);
    const sending = await next(1);
    expect(sending.url).toBeNull();
    sending.onUrl('/app/api/uploads/1');
    sending.onProgress(4);
    expect(queue.list()[0]).toMatchObject({ sentBytes: 4, state: { kind: 'sending' } });
    expect(queue.isBusy()).toBe(true);
    sending.resolve();
    await until(queue, 'checking');
    expect(finish).toHaveBeenCalledWith('/app/api/uploads/1', target, 'f00d');
    checked.resolve({ revision: 2, uploadId: '1' });
    await until(queue, 'ready');
    expect(stored.size).toBe(0);
    expect(queue.isBusy()).toBe(false);
  });

  it('an upload continues where it was when the connection is back', async () => {
    const queue = openQueue();
    await queue.add(file(), target);
    const first = await next(1);
    first.onUrl('/app/api/uploads/1');
    first.reject(refusal(0));
    await until(queue, 'paused');
    queue.wakeAll();
    const second = await next(2);
    expect(second.url).toBe('/app/api/uploads/1');
    second.reject(refusal(503));
    await vi.waitFor(() => expect(waits).toHaveLength(2), patience);
    waits[1]?.();
    (await next(3)).resolve();
    await until(queue, 'ready');
  });

  it('sends nothing for as long as the server wants', async () => {
    const queue = openQueue();
    await queue.add(file(), target);
    const busy = { status: 429, code: 'x', message: 'Busy.', retryAfterSeconds: 90 };
    (await next(1)).reject(new ApiError(busy));
    await until(queue, 'paused');
    expect(pausesMs).toEqual([90_000]);
    queue.wakeAll();
    await Promise.resolve();
    expect(sent).toHaveLength(1);
    nowMs = 90_000;
    queue.wakeAll();
    (await next(2)).resolve();
    await until(queue, 'ready');
  });

  it('an upload waits for the person to sign in', async () => {
    const queue = openQueue();
    await queue.add(file(), target);
    (await next(1)).reject(refusal(401));
    await vi.waitFor(
      () => expect(stateOf(queue)).toEqual({ kind: 'paused', reason: 'signed_out' }),
      patience,
    );
    signIn.resolve();
    (await next(2)).resolve();
    await until(queue, 'ready');
  });

  it('an upload starts again if the server no longer has it', async () => {
    const queue = openQueue();
    await queue.add(file(), target);
    const first = await next(1);
    first.onUrl('/app/api/uploads/1');
    first.reject(refusal(404));
    expect((await next(2)).url).toBeNull();
  });

  it('sends the rest if the server says that some is missing', async () => {
    const queue = openQueue();
    finish.mockRejectedValueOnce(refusal(400, 'unfinished'));
    await queue.add(file(), target);
    const first = await next(1);
    first.onUrl('/app/api/uploads/1');
    first.resolve();
    const second = await next(2);
    expect(second.url).toBe('/app/api/uploads/1');
    second.resolve();
    await until(queue, 'ready');
  });

  it.each([400, 403, 413, 429, 507])('fails with the words of the server: %d', async (status) => {
    const queue = openQueue();
    const id = await queue.add(file(), target);
    (await next(1)).reject(refusal(status));
    await until(queue, 'failed');
    expect(stateOf(queue)).toMatchObject({ error: { message: 'Refused.' } });
    queue.retry(id);
    (await next(2)).resolve();
    await until(queue, 'ready');
  });

  it('an upload is removed from the server when it is cancelled', async () => {
    const queue = openQueue();
    const id = await queue.add(file(), target);
    (await next(1)).onUrl('/app/api/uploads/1');
    await queue.cancel(id);
    expect([queue.list(), removed, stored.size]).toEqual([[], ['/app/api/uploads/1'], 0]);
  });

  it('an upload is one of two at a time', async () => {
    const queue = openQueue();
    for (const name of ['a', 'b', 'c']) await queue.add(file(name), target);
    await next(2);
    expect(queue.list().map(({ state }) => state.kind)).toEqual(['sending', 'sending', 'waiting']);
    sent[0]?.resolve();
    await next(3);
  });
});

describe('an upload after a reload', () => {
  it('asks for the same file, and continues', async () => {
    const before = openQueue();
    const id = await before.add(file(), target);
    (await next(1)).onUrl('/app/api/uploads/1');
    const queue = openQueue();
    expect(stateOf(queue)?.kind).toBe('file_needed');
    expect(await queue.provide(id, file('other.mp3'))).toBe(false);
    expect(await queue.provide(id, file())).toBe(true);
    expect((await next(2)).url).toBe('/app/api/uploads/1');
  });

  it('recognizes a file that is simply chosen again', async () => {
    const before = openQueue();
    const id = await before.add(file(), target);
    (await next(1)).onUrl('/app/api/uploads/1');
    const queue = openQueue();
    expect(await queue.add(file(), target)).toBe(id);
    expect((await next(2)).url).toBe('/app/api/uploads/1');
    expect(queue.list()).toHaveLength(1);
  });

  it('needs no file for an upload that was sent completely', async () => {
    const before = openQueue();
    finish.mockReturnValue(new Promise(() => {}));
    await before.add(file(), target);
    const sending = await next(1);
    sending.onUrl('/app/api/uploads/1');
    sending.resolve();
    await until(before, 'checking');
    finish.mockResolvedValue({ revision: 3, uploadId: '1' });
    const queue = openQueue();
    await until(queue, 'ready');
    expect(sent).toHaveLength(1);
  });
});
