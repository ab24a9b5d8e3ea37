import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { refuseTransactionPooler } from './refuse-transaction-pooler.ts';

let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
};
const int32 = (...values: number[]) =>
  Buffer.from(values.flatMap((v) => [v >> 24, v >> 16, v >> 8, v]));
const ready = (isInTransaction: boolean) => message('Z', Buffer.from(isInTransaction ? 'T' : 'I'));

function row(pid: number): Buffer {
  const text = Buffer.from(String(pid));
  const column = Buffer.concat([
    Buffer.from('pid\0'),
    ...[int32(0), Buffer.alloc(2), int32(23), Buffer.from([0, 4]), int32(-1), Buffer.alloc(2)],
  ]);
  return Buffer.concat([
    message('T', Buffer.concat([Buffer.from([0, 1]), column])),
    message('D', Buffer.concat([Buffer.from([0, 1]), int32(text.length), text])),
  ]);
}

/** Speaks as much of the protocol as is needed, with the process ids of a pooler's sessions. */
async function openPooler(mode: 'session' | 'transaction'): Promise<pg.ClientConfig> {
  const free = [101, 102, 103];
  const server = createServer((socket) => {
    opened.defer(() => void socket.destroy());
    let own = mode === 'session' ? free.shift() : undefined;
    let isInTransaction = false;
    socket
      .on('error', () => undefined)
      .once('data', () => {
        const begun = [message('R', int32(0)), message('K', int32(7, 7)), ready(false)];
        socket.write(Buffer.concat(begun));
        socket.on('data', (bytes) => {
          if (bytes[0] !== 'Q'.charCodeAt(0)) return;
          const text = bytes.subarray(5, -1).toString();
          own ??= free.shift() ?? 0;
          if (text === 'begin') isInTransaction = true;
          const rows = text === 'begin' ? [] : [row(own)];
          socket.write(
            Buffer.concat([...rows, message('C', Buffer.from('OK\0')), ready(isInTransaction)]),
          );
          if (mode === 'session' || isInTransaction) return;
          // The session that was free last is the next to be used.
          free.unshift(own);
          own = undefined;
        });
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { host: '127.0.0.1', port, user: 'x', database: 'x', ssl: false };
}

/** A pool whose connection is direct, or leads through a pooler. */
const poolOf = (processID: number, backendPid: number) =>
  ({ connect: async () => ({ processID, backendPid, release: () => undefined }) }) as never;

describe('a pooler', () => {
  it('a pooler in transaction mode is refused, with advice', async () => {
    const refused = refuseTransactionPooler(poolOf(7, 101), await openPooler('transaction'));
    await expect(refused).rejects.toThrow(/transaction mode.*pool_mode = session/s);
  });

  it('a pooler in session mode is accepted', async () => {
    await refuseTransactionPooler(poolOf(7, 101), await openPooler('session'));
  });

  it('a pooler is not looked for on a direct connection', async () => {
    const nowhere = { host: '127.0.0.1', port: 1 };
    await refuseTransactionPooler(poolOf(101, 101), nowhere);
  });

  it('a pooler that never responds is refused in limited time', async () => {
    const silent = createServer((socket: Socket) => void socket.on('error', () => undefined));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    opened.defer(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const config = { host: '127.0.0.1', port, user: 'x', database: 'x', ssl: false };
    await expect(refuseTransactionPooler(poolOf(7, 101), config)).rejects.toThrow('no response');
  });
});
