import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { CommandIo } from '../command-io.ts';
import { CommandError } from '../describe-failure.ts';
import { maxPayloadBytes, readFrames, sendFrame } from './frames.ts';
import { writeHello } from './hello.ts';
import { socketName, withSocketPath } from './socket-path.ts';

/**
 * Has a command carried out by the process that holds the database in `dataDir`, as if it ran
 * here, and returns its exit code. undefined: that process does not listen (yet, or any more) and
 * nothing has been done.
 */
export async function callHost(
  dataDir: string,
  argv: readonly string[],
  io: CommandIo,
): Promise<number | undefined> {
  const hello = writeHello({ argv, cwd: io.cwd, isTerminal: io.isTerminal, columns: io.columns });
  if (Buffer.byteLength(hello) > maxPayloadBytes) throw new CommandError('That is too much text.');
  const socket = await tryConnect(dataDir);
  if (socket === undefined) return undefined;
  const cancel = () => sendFrame(socket, 'cancel');
  try {
    sendFrame(socket, 'hello', hello);
    io.signal.addEventListener('abort', cancel);
    if (io.signal.aborted) cancel();
    return await follow(socket, io);
  } finally {
    io.signal.removeEventListener('abort', cancel);
    socket.destroy();
  }
}

async function tryConnect(dataDir: string): Promise<Socket | undefined> {
  try {
    return await withSocketPath(dataDir, socketName, async (path) => {
      const socket = connect(path);
      await once(socket, 'connect');
      // From here on a loss is heard of as the end of its frames.
      socket.on('error', () => {});
      return socket;
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    if (code === 'EACCES') {
      throw new CommandError('The database is held by a server of another user: run this as them.');
    }
    throw error;
  }
}

/** The other process has gone, whatever was on its way. */
const lossCodes = new Set(['ECONNRESET', 'EPIPE']);

async function follow(socket: Socket, io: CommandIo): Promise<number | undefined> {
  let accepted = false;
  try {
    for await (const { kind, payload } of readFrames(socket)) {
      if (kind === 'accepted') accepted = true;
      else if (kind === 'refused') throw new CommandError(payload.toString('utf8'));
      else if (kind === 'stdout') await write(io.stdout, payload);
      else if (kind === 'stderr') await write(io.stderr, payload);
      else if (kind === 'question') await answer(socket, io, payload.toString('utf8'));
      else if (kind === 'exit') return Number(payload.toString('utf8'));
    }
  } catch (error) {
    if (!lossCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  if (!accepted) return undefined;
  throw new CommandError('The process that carried this out ended before it was done.');
}

async function answer(socket: Socket, io: CommandIo, question: string): Promise<void> {
  sendFrame(socket, 'answer', await io.readPassword(question));
}

/** No faster than whoever reads our output. */
async function write(output: Writable, chunk: Buffer): Promise<void> {
  await new Promise<void>((done) => output.write(chunk, () => done()));
}
