import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { takeResponse } from '../take-response.ts';

/** The root of this repository, whose code is measured. */
export const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

export interface Start {
  /** The repository, or a copy of it. */
  readonly root: string;
  readonly dataDir: string;
  /** The path of the first request. */
  readonly path: string;
}

/** Milliseconds from the start of `serve` to its first response, which must be 200. Then kills it. */
export async function measureStart(
  { root, dataDir, path }: Start,
  signal: AbortSignal,
): Promise<number> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const server = spawn(process.execPath, [join(root, 'server/src/start.js'), 'serve'], {
    cwd: root,
    env: { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
    killSignal: 'SIGKILL',
  });
  const ended = once(server, 'exit');
  // The code that waits for the first line reports this error.
  ended.catch(() => undefined);
  try {
    const [line] = await Promise.race([
      once(createInterface(server.stdout), 'line'),
      ended.then(() => Promise.reject(new Error('serve ended before it listened'))),
    ]);
    const { url } = JSON.parse(String(line)) as { url: string };
    const { status } = await takeResponse({ url: url + path, headers: {} }, signal);
    if (status !== 200) throw new Error(`${path} responded ${status}`);
    return performance.now() - startedAt;
  } finally {
    server.kill('SIGKILL');
    await ended.catch(() => undefined);
  }
}

/** PORT cannot be 0. Another process could take the port before the start, which is unlikely. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
