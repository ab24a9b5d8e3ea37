import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../platform/log/log.ts';
import type { CommandIo } from '../command-io.ts';
import { CancelledError } from '../describe-failure.ts';
import { callHost } from './call-host.ts';
import { readFrames, sendFrame } from './frames.ts';
import { openControlSocket } from './host.ts';
import type { CommandRunner } from './serve-command.ts';

let dataDir: string;
let resources: AsyncDisposableStack;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  dataDir = await mkdtemp(join(tmpdir(), 'podstead-control-'));
  resources.defer(() => rm(dataDir, { recursive: true, force: true }));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await resources.disposeAsync();
});

async function host(runCommand: CommandRunner, folder = dataDir) {
  const stop = new AbortController();
  const log = createLog('silent');
  const options = { dataDir: folder, log, stopping: stop.signal, runCommand };
  const socket = resources.use(await openControlSocket(options));
  return { socket, stop };
}

function caller(changes: Partial<CommandIo> = {}) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const io: CommandIo = {
    stdout,
    stderr,
    cwd: '/somewhere',
    isTerminal: false,
    canAsk: false,
    ask: () => Promise.reject(new Error('nobody is asked')),
    columns: 80,
    signal: new AbortController().signal,
    readPassword: () => Promise.reject(new Error('nobody is asked')),
    ...changes,
  };
  const said = async () => {
    stdout.end();
    stderr.end();
    return { stdout: await text(stdout), stderr: await text(stderr) };
  };
  return { io, said };
}

const echo: CommandRunner = async (argv, io) => {
  io.stdout.write(JSON.stringify({ argv, cwd: io.cwd }));
  io.stderr.write(`${io.isTerminal} ${io.columns}`);
  return 2;
};

/** A command that waits to be cancelled and prints the reason. */
function patient() {
  const begun = Promise.withResolvers<void>();
  const runCommand: CommandRunner = async (_argv, io) => {
    begun.resolve();
    if (!io.signal.aborted) await once(io.signal, 'abort');
    io.stderr.write((io.signal.reason as Error).message);
    return 1;
  };
  return { runCommand, begun: begun.promise };
}

describe('a command in another process', () => {
  // CLI-4
  it('a command in another process gets the arguments, folder and terminal of its caller, and returns output and exit code', async () => {
    await host(echo);
    const { io, said } = caller({ isTerminal: true, columns: 132, cwd: '/a b/ü' });
    expect(await callHost(dataDir, ['seed', 'x y', ''], io)).toBe(2);
    expect(await said()).toEqual({
      stdout: JSON.stringify({ argv: ['seed', 'x y', ''], cwd: '/a b/ü' }),
      stderr: 'true 132',
    });
  });

  it('a command in another process says which settings of its caller it ignores', async () => {
    vi.stubEnv('DEFAULT_PLAN', 'studio');
    await host(echo);
    vi.stubEnv('AGENT_LISTS', '/lists');
    vi.stubEnv('PORT', '4000');
    const { io, said } = caller();
    expect(await callHost(dataDir, [], io)).toBe(2);
    const { stdout, stderr } = await said();
    expect(stderr).toBe(
      'The running server uses its own settings for this command. Ignored here: AGENT_LISTS.\nfalse 80',
    );
    expect(stdout).not.toContain('AGENT_LISTS');
  });

  it('a command in another process waits for a caller that reads slowly', async () => {
    const long = 'x'.repeat(3_000_000);
    await host(async (_argv, io) => {
      io.stdout.write(long);
      return 0;
    });
    const { io } = caller();
    const printed = text(io.stdout as PassThrough);
    expect(await callHost(dataDir, [], io)).toBe(0);
    io.stdout.end();
    expect(await printed).toBe(long);
  });

  it('a command in another process runs beside others', async () => {
    const both = Promise.withResolvers<void>();
    let running = 0;
    await host(async (argv) => {
      running += 1;
      if (running === 2) both.resolve();
      await both.promise;
      return Number(argv[0]);
    });
    const codes = ['0', '1'].map((argument) => callHost(dataDir, [argument], caller().io));
    expect(await Promise.all(codes)).toEqual([0, 1]);
  });

  it('asks its caller for a password', async () => {
    await host(async (_argv, io) => {
      io.stdout.write(await io.readPassword('Which? '));
      return 0;
    });
    const readPassword = vi.fn(async () => 'geheim');
    const { io, said } = caller({ readPassword });
    expect(await callHost(dataDir, [], io)).toBe(0);
    expect(readPassword).toHaveBeenCalledWith('Which? ');
    expect((await said()).stdout).toBe('geheim');
  });

  it('asks its caller for a line, where its caller can be asked', async () => {
    await host(async (_argv, io) => {
      io.stdout.write(io.canAsk ? await io.ask('Really? ') : 'nobody');
      return 0;
    });
    const ask = vi.fn(async () => 'yes');
    const asked = caller({ canAsk: true, ask });
    expect(await callHost(dataDir, [], asked.io)).toBe(0);
    expect(ask).toHaveBeenCalledWith('Really? ');
    expect((await asked.said()).stdout).toBe('yes');
    const alone = caller({ ask });
    expect(await callHost(dataDir, [], alone.io)).toBe(0);
    expect((await alone.said()).stdout).toBe('nobody');
  });

  it('a command in another process is cancelled by its caller', async () => {
    const { runCommand, begun } = patient();
    await host(runCommand);
    const cancel = new AbortController();
    const { io, said } = caller({ signal: cancel.signal });
    const code = callHost(dataDir, [], io);
    await begun;
    cancel.abort();
    expect(await code).toBe(1);
    expect((await said()).stderr).toBe('Cancelled.');
  });

  it('a command in another process is cancelled when its caller disconnects', async () => {
    const reason = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    await host(async (_argv, io) => {
      begun.resolve();
      await once(io.signal, 'abort');
      reason.resolve((io.signal.reason as Error).message);
      // Further output is discarded.
      io.stdout.write('x'.repeat(500_000));
      return 1;
    });
    const socket = connect(join(dataDir, 'podstead.sock'));
    const hello = { version: 2, argv: [], cwd: '/', isTerminal: false, canAsk: false, columns: 80 };
    sendFrame(socket, 'hello', JSON.stringify(hello));
    await begun.promise;
    socket.destroy();
    expect(await reason.promise).toBe('The caller disconnected.');
  });

  it('a command in another process is cancelled when the host process stops', async () => {
    const { runCommand, begun } = patient();
    const { stop, socket } = await host(runCommand);
    const { io, said } = caller();
    const code = callHost(dataDir, [], io);
    await begun;
    stop.abort(new CancelledError('The server stops.'));
    await socket[Symbol.asyncDispose]();
    expect(await code).toBe(1);
    expect((await said()).stderr).toBe('The server stops.');
  });

  it('a command in another process keeps the host process alive until it is done', async () => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<number>();
    const { socket } = await host(() => {
      begun.resolve();
      return end.promise;
    });
    const code = callHost(dataDir, [], caller().io);
    await begun.promise;
    const closed = socket[Symbol.asyncDispose]();
    expect(await callHost(dataDir, [], caller().io)).toBeUndefined();
    end.resolve(0);
    expect(await code).toBe(0);
    await closed;
  });

  it('fails with a message if the host process dies', async () => {
    // Behaves like a host that is killed.
    const server = createServer((socket) => {
      socket.once('data', () => {
        sendFrame(socket, 'accepted');
        sendFrame(socket, 'stdout', 'half', () => socket.destroy());
      });
    }).listen(join(dataDir, 'podstead.sock'));
    await once(server, 'listening');
    resources.defer(() => void server.close());
    await expect(callHost(dataDir, [], caller().io)).rejects.toThrow(
      'stopped before the command finished',
    );
  });
});

describe('no command runs', () => {
  it('no command runs if no host listens', async () => {
    expect(await callHost(dataDir, [], caller().io)).toBeUndefined();
  });

  it("no command runs if the socket's process is dead; the next host replaces it", async () => {
    const path = join(dataDir, 'podstead.sock');
    await writeFile(path, '');
    expect(await callHost(dataDir, [], caller().io)).toBeUndefined();
    await mkdir(join(dataDir, '.control-dead'));
    const { socket } = await host(echo);
    expect(await callHost(dataDir, [], caller().io)).toBe(2);
    expect(await readdir(dataDir)).toEqual(['podstead.sock']);
    await socket[Symbol.asyncDispose]();
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('no command runs for a caller of another version', async () => {
    await host(echo);
    const socket = connect(join(dataDir, 'podstead.sock'));
    sendFrame(socket, 'hello', JSON.stringify({ version: 3, words: ['of', 'its', 'own'] }));
    const responses: string[] = [];
    for await (const { kind, payload } of readFrames(socket)) responses.push(`${kind} ${payload}`);
    expect(responses).toEqual([expect.stringMatching(/^refused .* another version of Podstead/)]);
  });

  it.each([
    ['nonsense', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['an invalid hello', Buffer.from([0, 0, 0, 0, 2, 0x7b, 0x7d])],
    ['an endless frame', Buffer.from([0, 0xff, 0xff, 0xff, 0xff])],
  ])('no command runs for a caller that sends %s', async (_, bytes) => {
    const runCommand = vi.fn(echo);
    await host(runCommand);
    const socket = connect(join(dataDir, 'podstead.sock'));
    socket.resume().write(bytes);
    await once(socket, 'close');
    expect(runCommand).not.toHaveBeenCalled();
  });

  it('no command runs for a silent caller, which does not keep the process alive', async () => {
    const { socket } = await host(echo);
    const silent = connect(join(dataDir, 'podstead.sock'));
    await once(silent, 'connect');
    silent.resume();
    await Promise.all([socket[Symbol.asyncDispose](), once(silent, 'close')]);
  });

  it('no command runs for arguments larger than a frame', async () => {
    await host(echo);
    const words = ['x'.repeat(2_000_000)];
    await expect(callHost(dataDir, words, caller().io)).rejects.toThrow('too long to send');
  });
});

describe('the socket', () => {
  // CLI-4
  it('the socket is accessible to its owner only', async () => {
    await host(echo);
    const found = await stat(join(dataDir, 'podstead.sock'));
    expect(found.isSocket()).toBe(true);
    expect(found.mode & 0o777).toBe(0o600);
  });

  it('the socket works in a folder with a long path', async () => {
    const folder = join(dataDir, 'a-long-name/'.repeat(20));
    await mkdir(folder, { recursive: true });
    await host(echo, folder);
    expect(await callHost(folder, [], caller().io)).toBe(2);
  });
});
