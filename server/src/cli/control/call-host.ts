import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { CommandIo } from '../command-io.ts';
import { CommandError } from '../describe-failure.ts';
import { maxPayloadBytes, readFrames, sendFrame } from './frames.ts';
import { givenSettings } from './given-settings.ts';
import { writeHello } from './hello.ts';
import { socketName, withSocketPath } from './socket-path.ts';

/**
 * Runs a command in the process that holds the database in `dataDir`, with this process's input and
 * output, and returns its exit code. undefined: that process does not listen, and nothing was done.
 */
export async function callHost(
  dataDir: string,
  argv: readonly string[],
  io: CommandIo,
): Promise<number | undefined> {
  const { cwd, isTerminal, canAsk, columns } = io;
  const settings = givenSettings(process.env);
  const hello = writeHello({ argv, cwd, isTerminal, canAsk, columns, settings });
  if (Buffer.byteLength(hello) > maxPayloadBytes)
    throw new CommandError('The command line is too long to send to the running server.');
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
      // From here on, a lost connection ends the frames.
      socket.on('error', () => {});
      return socket;
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    if (code === 'EACCES') {
      throw new CommandError(
        "Another user's server is using the database. Run this command as that user.",
      );
    }
    throw error;
  }
}

/** The other process has gone. */
const lossCodes = new Set(['ECONNRESET', 'EPIPE']);

async function follow(socket: Socket, io: CommandIo): Promise<number | undefined> {
  let accepted = false;
  try {
    for await (const { kind, payload } of readFrames(socket)) {
      if (kind === 'accepted') accepted = true;
      else if (kind === 'refused') throw new CommandError(payload.toString('utf8'));
      else if (kind === 'stdout') await write(io.stdout, payload);
      else if (kind === 'stderr') await write(io.stderr, payload);
      else if (kind === 'question' || kind === 'ask') {
        const question = payload.toString('utf8');
        sendFrame(socket, 'answer', await io[askBy[kind]](question));
      } else if (kind === 'exit') return Number(payload.toString('utf8'));
    }
  } catch (error) {
    if (!lossCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  if (!accepted) return undefined;
  throw new CommandError('The server stopped before the command finished.');
}

const askBy = { question: 'readPassword', ask: 'ask' } as const;

/** Waits for slow readers of the output. */
async function write(output: Writable, chunk: Buffer): Promise<void> {
  await new Promise<void>((done) => output.write(chunk, () => done()));
}
