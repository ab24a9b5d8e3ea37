import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it, vi } from 'vitest';
import { patience } from '../../../test/patience.ts';
import type { OpenBlob } from '../../platform/blob-store/blob-store.ts';
import { WriteTurns } from '../limits/write-turns.ts';
import { PieceSender } from './send-pieces.ts';

const kB = 1024;

/** A connection that takes its data when `take` is called, or at once. */
class Connection extends EventEmitter {
  destroyed = false;
  isFast = false;
  hasEnded = false;
  writableLength = 0;
  readonly given: Buffer[] = [];
  #waiting: (() => void)[] = [];

  write(piece: Buffer, taken?: () => void): void {
    this.given.push(piece);
    if (taken !== undefined) this.#waiting.push(taken);
    if (this.isFast) process.nextTick(() => this.take());
  }
  end(piece: Buffer): void {
    this.given.push(piece);
    this.hasEnded = true;
  }
  take(): void {
    for (const taken of this.#waiting.splice(0)) taken();
  }
  close(): void {
    this.destroyed = true;
    this.emit('close');
  }
  get givenBytes(): number {
    return this.given.reduce((sum, { length }) => sum + length, 0);
  }
}

/** A blob in memory: blocks of 64 KB that begin with their positions. */
function createBlob(sizeBytes: number): OpenBlob & { readonly memory: Buffer } {
  const memory = Buffer.alloc(sizeBytes);
  const read = (position: number, maxBytes: number) => {
    const blockEnd = (Math.floor(position / (64 * kB)) + 1) * 64 * kB;
    return memory.subarray(position, Math.min(position + maxBytes, blockEnd));
  };
  for (let at = 0; at < sizeBytes; at += 1_000) memory[at] = at % 251;
  return { sizeBytes, memory, read, [Symbol.dispose]: () => undefined };
}

function send(sender: PieceSender, blob: OpenBlob, start: number, end: number, isFast = false) {
  const connection = new Connection();
  connection.isFast = isFast;
  const handed = { takenBytes: 0 };
  const response = connection as unknown as ServerResponse;
  const done = sender.send(response, blob, { start, end }, handed);
  return { connection, handed, done };
}

it('rejects once if the disk cannot be read', async () => {
  const read = vi.fn(() => Promise.reject(new Error('EIO')));
  const { done, handed } = send(
    new PieceSender(new WriteTurns()),
    { ...createBlob(kB), read },
    0,
    99,
  );
  await expect(done).rejects.toThrow('EIO');
  expect(handed.takenBytes).toBe(0);
});

it('sends just the bytes of the range, and counts them', async () => {
  const blob = createBlob(300 * kB);
  for (const [start, end] of [
    [0, 300 * kB - 1],
    [10, 10],
    [64 * kB - 1, 64 * kB],
    [100_000, 250_000],
  ] as const) {
    const { connection, handed, done } = send(
      new PieceSender(new WriteTurns()),
      blob,
      start,
      end,
      true,
    );
    await done;
    const sent = Buffer.concat(connection.given);
    expect(sent.equals(blob.memory.subarray(start, end + 1))).toBe(true);
    expect([connection.hasEnded, handed.takenBytes]).toEqual([true, sent.length]);
  }
});

/** The sizes of the pieces for a connection that takes each one after `tookMs`. */
async function listPieces(tookMs: number): Promise<number[]> {
  let nowMs = 0;
  const sender = new PieceSender(new WriteTurns(), () => nowMs);
  const { connection, done } = send(sender, createBlob(4096 * kB), 1_000, 4096 * kB - 1);
  const pieces: number[] = [];
  for (let taken = 0; !connection.hasEnded; ) {
    await new Promise((resolve) => setImmediate(resolve));
    if (connection.givenBytes === taken) continue;
    pieces.push(connection.givenBytes - taken);
    taken = connection.givenBytes;
    nowMs += tookMs;
    connection.take();
  }
  await done;
  return pieces;
}

it('gives a slow connection no more than two blocks before it has taken them', async () => {
  expect(Math.max(...(await listPieces(100)))).toBeLessThanOrEqual(128 * kB);
});

it('gives a fast connection larger pieces step by step, up to a megabyte', async () => {
  const pieces = await listPieces(1);
  expect(pieces[0]).toBeLessThanOrEqual(128 * kB);
  expect(pieces[1]).toBe(256 * kB);
  expect(Math.max(...pieces)).toBe(1024 * kB);
});

it('gives each of very many connections a small copy', async () => {
  const sender = new PieceSender(new WriteTurns());
  const blob = createBlob(512 * kB);
  const slow = Array.from({ length: 600 }, () => send(sender, blob, 0, 512 * kB - 1));
  await vi.waitFor(() => {
    for (const { connection } of slow) expect(connection.givenBytes).toBeGreaterThan(0);
  }, patience);
  const { connection, done } = slow.at(-1) ?? send(sender, blob, 0, 1);
  expect(connection.givenBytes).toBe(16 * kB);
  expect(connection.given[0]?.buffer).not.toBe(blob.memory.buffer);
  for (const { connection: gone } of slow.slice(0, -1)) gone.close();
  await Promise.all(slow.slice(0, -1).map((one) => one.done));
  connection.isFast = true;
  connection.take();
  await done;
  expect(Buffer.concat(connection.given).equals(blob.memory)).toBe(true);
});

it.each([
  ['has taken', 0, 64 * kB],
  ['has not taken', 1, 16 * kB],
])(
  'gives others small copies while many connections wait for data that the system %s',
  async (_, left, expected) => {
    const sender = new PieceSender(new WriteTurns());
    const blob = createBlob(512 * kB);
    for (let n = 0; n < 600; n += 1) {
      const connection = Object.assign(new Connection(), { writableLength: left });
      const response = connection as unknown as ServerResponse;
      sender.send(response, blob, { start: 0, end: 99 }, { takenBytes: 0 });
    }
    const { connection, done } = send(sender, blob, 0, 512 * kB - 1);
    await vi.waitFor(() => expect(connection.givenBytes).toBe(expected), patience);
    connection.close();
    await done;
  },
);

it('stops when the connection is gone', async () => {
  const { connection, handed, done } = send(
    new PieceSender(new WriteTurns()),
    createBlob(512 * kB),
    0,
    512 * kB - 1,
  );
  await vi.waitFor(() => expect(connection.givenBytes).toBe(64 * kB), patience);
  connection.close();
  await done;
  expect([connection.hasEnded, handed.takenBytes]).toEqual([false, 64 * kB]);
});

it('fails if the blob ends too early', async () => {
  const { connection, handed, done } = send(
    new PieceSender(new WriteTurns()),
    createBlob(100),
    50,
    200,
    true,
  );
  await expect(done).rejects.toThrow(RangeError);
  expect([connection.hasEnded, handed.takenBytes]).toEqual([false, 50]);
});

it('yields to other tasks while a connection takes everything at once', async () => {
  const size = 16 * 1024 * kB;
  const { connection, done } = send(
    new PieceSender(new WriteTurns()),
    createBlob(size),
    0,
    size - 1,
    true,
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(connection.givenBytes).toBeLessThan(size / 2);
  await done;
  expect(connection.givenBytes).toBe(size);
});
