import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ReadSetting } from '../../config/settings.ts';
import { type CommandIo, printLine } from '../command-io.ts';
import { CancelledError } from '../describe-failure.ts';
import { type Frame, ProtocolError, readFrames, sendFrame, sendOutput } from './frames.ts';
import { findOtherSettings } from './given-settings.ts';
import { type Hello, parseHello } from './hello.ts';

/** Runs `argv` and returns its exit code; reports errors through `io`. */
export type CommandRunner = (argv: readonly string[], io: CommandIo) => Promise<number>;

export interface Host {
  readonly runCommand: CommandRunner;
  /** Those that this process has started with. */
  readonly settings: readonly ReadSetting[];
  /** Aborts when no further commands are taken; running ones continue. */
  readonly closing: AbortSignal;
  /** Aborts when this process stops; running commands are cancelled. */
  readonly stopping: AbortSignal;
}

/** Serves one command of one caller, from its hello to its exit code. */
export async function serveCommand(socket: Socket, host: Host): Promise<void> {
  // A caller that disconnects ends its frames.
  socket.on('error', () => {});
  const frames = readFrames(socket);
  const hello = await readHello(socket, frames, host.closing);
  if (hello === undefined) return;
  sendFrame(socket, 'accepted');
  const io = new RemoteIo(socket, hello, host.stopping);
  void io.listen(frames);
  reportOtherSettings(hello, host.settings, io);
  await io.finish(await host.runCommand(hello.argv, io));
}

/** This process uses its own settings. A caller that gives others would expect them to be used. */
function reportOtherSettings({ settings = {} }: Hello, own: Host['settings'], io: CommandIo): void {
  const others = findOtherSettings(settings, own);
  if (others.length === 0) return;
  const names = others.join(', ');
  printLine(
    io,
    `The running server uses its own settings for this command. Ignored here: ${names}.`,
  );
}

/** undefined: the command must not run, and the caller has been told why. */
async function readHello(
  socket: Socket,
  frames: AsyncGenerator<Frame, void, void>,
  closing: AbortSignal,
): Promise<Hello | undefined> {
  if (closing.aborted) return undefined;
  // Disconnects callers that send no hello.
  const hangUp = () => socket.destroy();
  closing.addEventListener('abort', hangUp);
  try {
    const first = await frames.next();
    if (first.done === true || closing.aborted) return undefined;
    if (first.value.kind !== 'hello') throw new ProtocolError('not a hello');
    return parseHello(first.value.payload);
  } catch (error) {
    if (error instanceof ProtocolError) {
      await new Promise<void>((done) => sendFrame(socket, 'refused', error.message, done));
    }
    return undefined;
  } finally {
    closing.removeEventListener('abort', hangUp);
  }
}

/** The terminal of another process, at the other end of a socket. */
class RemoteIo implements CommandIo {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly cwd: string;
  readonly isTerminal: boolean;
  readonly canAsk: boolean;
  readonly columns: number;
  readonly signal: AbortSignal;
  readonly #socket: Socket;
  readonly #cancelled = new AbortController();
  #onAnswer: ((response: string) => void) | undefined;

  constructor(socket: Socket, hello: Hello, stopping: AbortSignal) {
    this.#socket = socket;
    this.stdout = outputTo(socket, 'stdout');
    this.stderr = outputTo(socket, 'stderr');
    this.cwd = hello.cwd;
    this.isTerminal = hello.isTerminal;
    this.canAsk = hello.canAsk;
    this.columns = hello.columns;
    this.signal = AbortSignal.any([this.#cancelled.signal, stopping]);
  }

  /** Reads the caller's frames until it disconnects. */
  async listen(frames: AsyncGenerator<Frame, void, void>): Promise<void> {
    try {
      for await (const { kind, payload } of frames) {
        if (kind === 'cancel') this.#cancelled.abort(new CancelledError());
        else if (kind === 'answer') this.#onAnswer?.(payload.toString('utf8'));
      }
    } catch {
      // Disconnected or invalid: the command has lost its caller either way.
    }
    this.#cancelled.abort(new CancelledError('The caller disconnected.'));
  }

  /** The caller asks on its own terminal. */
  ask(question: string): Promise<string> {
    return this.#question('ask', question);
  }

  readPassword(question: string): Promise<string> {
    return this.#question('question', question);
  }

  async #question(kind: 'ask' | 'question', question: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#onAnswer = resolve;
    this.signal.throwIfAborted();
    this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    sendFrame(this.#socket, kind, question);
    return await promise;
  }

  async finish(code: number): Promise<void> {
    this.stdout.end();
    this.stderr.end();
    await Promise.all([finished(this.stdout), finished(this.stderr)]);
    await new Promise<void>((done) => sendFrame(this.#socket, 'exit', String(code), done));
    this.#socket.destroySoon();
  }
}

function outputTo(socket: Socket, kind: 'stdout' | 'stderr'): Writable {
  return new Writable({ write: (chunk: Buffer, _, done) => sendOutput(socket, kind, chunk, done) });
}
