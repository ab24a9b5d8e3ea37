import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { readDotEnv, readEnvironment } from '../../config/environment.ts';
import type { Log } from '../../platform/log/log.ts';
import { type CommandRunner, serveCommand } from './serve-command.ts';
import { socketName, withSocketPath } from './socket-path.ts';

export interface HostOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** Aborts when this process stops; running commands are cancelled. */
  readonly stopping: AbortSignal;
  readonly runCommand: CommandRunner;
}

const draftPrefix = '.control-';

/**
 * Listens for commands run beside this process. This process holds the embedded database, so any
 * existing socket in the folder is dead. Disposing takes no further commands and waits for running
 * ones.
 */
export async function openControlSocket(options: HostOptions): Promise<AsyncDisposable> {
  const { dataDir, log, stopping, runCommand } = options;
  const closing = new AbortController();
  const host = {
    ...{ stopping, runCommand },
    settings: readEnvironment(process.env, readDotEnv(process.env)),
    closing: AbortSignal.any([closing.signal, stopping]),
  };
  const callers = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const served = serveCommand(socket, host)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'a command from the control socket failed'),
      )
      .finally(() => {
        callers.delete(socket);
        socket.destroy();
      });
    callers.set(socket, served);
  });
  server.on('error', (error) => log.error({ err: error }, 'the control socket failed'));
  await bindPrivately(server, dataDir);
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      server.close();
      await rm(join(dataDir, socketName), { force: true });
      await Promise.all(callers.values());
    },
  };
}

/**
 * Nobody else can reach the socket, even while it is created: it is bound in a folder of mode 0700,
 * gets its own mode there, and then moves to its place.
 */
async function bindPrivately(server: Server, dataDir: string): Promise<void> {
  await sweep(dataDir);
  const draft = await mkdtemp(join(dataDir, draftPrefix));
  try {
    await withSocketPath(draft, socketName, async (path) => {
      server.listen(path);
      await once(server, 'listening');
    });
    await chmod(join(draft, socketName), 0o600);
    await rename(join(draft, socketName), join(dataDir, socketName));
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes the folder of a process that was killed while it created its socket. */
async function sweep(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(draftPrefix)) await rm(join(dataDir, name), { recursive: true });
  }
}
