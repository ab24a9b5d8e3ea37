import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxPayloadBytes, ProtocolError, readFrames, sendFrame, sendOutput } from './frames.ts';

let folder: string;
let ends: [Socket, Socket];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-frames-'));
  const server = createServer().listen(join(folder, 's'));
  await once(server, 'listening');
  const near = connect(join(folder, 's'));
  const [far] = (await once(server, 'connection')) as [Socket];
  server.close();
  ends = [near, far];
});
afterEach(async () => {
  for (const end of ends) end.destroy();
  await rm(folder, { recursive: true });
});

async function receive(socket: Socket): Promise<[string, string][]> {
  const frames: [string, string][] = [];
  for await (const { kind, payload } of readFrames(socket)) {
    frames.push([kind, payload.toString('utf8')]);
  }
  return frames;
}

describe('frames', () => {
  it('frames arrive in order, also empty ones', async () => {
    const [near, far] = ends;
    sendFrame(near, 'hello', '{}');
    sendFrame(near, 'cancel');
    sendFrame(near, 'answer', 'ä'.repeat(1000));
    near.end();
    expect(await receive(far)).toEqual([
      ['hello', '{}'],
      ['cancel', ''],
      ['answer', 'ä'.repeat(1000)],
    ]);
  });

  it('frames arrive whole if their bytes arrive one by one', async () => {
    const [near, far] = ends;
    const bytes: Buffer[] = [];
    const recorder = { write: (chunk: Buffer) => bytes.push(chunk) } as unknown as Socket;
    sendFrame(recorder, 'stdout', 'abc');
    sendFrame(recorder, 'exit', '0');
    const received = receive(far);
    for (const byte of Buffer.concat(bytes)) {
      await new Promise<void>((done) => near.write(Buffer.of(byte), () => done()));
    }
    near.end();
    expect(await received).toEqual([
      ['stdout', 'abc'],
      ['exit', '0'],
    ]);
  });

  it('frames split long output', async () => {
    const [near, far] = ends;
    const received = receive(far);
    const output = Buffer.alloc(300_000, 'x');
    await new Promise<void>((done) => sendOutput(near, 'stdout', output, done));
    near.end();
    const pieces = (await received).map(([, text]) => text);
    expect(pieces.every((piece) => piece.length <= 65_536)).toBe(true);
    expect(pieces.join('')).toBe(output.toString());
  });

  it('frames end with their connection', async () => {
    const [near, far] = ends;
    near.end(Buffer.from([3, 0, 0, 0, 9, 0x61]));
    expect(await receive(far)).toEqual([]);
  });

  it.each([
    ['of an unknown kind', [99, 0, 0, 0, 0]],
    ['larger than any may be', [3, 0xff, 0xff, 0xff, 0xff]],
  ])('%s are refused early', async (_, header) => {
    const [near, far] = ends;
    near.write(Buffer.from(header));
    await expect(receive(far)).rejects.toThrow(ProtocolError);
  });

  it('frames that are too large are not sent', () => {
    expect(() => sendFrame(ends[0], 'stdout', Buffer.alloc(maxPayloadBytes + 1))).toThrow(
      ProtocolError,
    );
  });
});
