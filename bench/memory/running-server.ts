import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Place } from '../installation/open-installation.ts';
import { findFreePort, repositoryRoot } from '../public/serve-process.ts';

/** The memory of a process, in bytes. */
export interface Memory {
  readonly rss: number;
  /** The peak of the resident memory. */
  readonly peak: number;
  readonly heap: number;
  /** Buffers and other memory outside the heap. */
  readonly external: number;
}

/** `serve` as an operator starts it. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  memory(): Promise<Memory>;
  /** NaN if /metrics does not have it. */
  metric(name: string): Promise<number>;
}

export interface ServeOptions extends Place {
  /** The repository, or a copy of it. */
  readonly root?: string;
  /** Besides those of every bench. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * In a session of its own, as a service manager starts it. Then Linux gives it its own share of the
   * processors (autogroups), whatever else the bench runs.
   */
  readonly ownSession?: boolean;
  readonly signal: AbortSignal;
}

/** Resolves when it listens. Disposing kills it. */
export async function startServe(options: ServeOptions): Promise<RunningServer> {
  const { root = repositoryRoot, dataDir, databaseUrl, settings, ownSession, signal } = options;
  const metricsPort = await findFreePort();
  const server = spawn(process.execPath, [join(root, 'server/src/start.js'), 'serve'], {
    cwd: root,
    env: {
      DATA_DIR: dataDir,
      PORT: String(await findFreePort()),
      METRICS_PORT: String(metricsPort),
      PUBLIC_RATE_LIMIT: '0',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      SECRET: 'a secret of the bench, and of nobody else',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: ownSession ?? false,
    signal,
    killSignal: 'SIGKILL',
  });
  const ended = once(server, 'exit');
  ended.catch(() => undefined);
  const stop = async () => {
    server.kill('SIGKILL');
    await ended.catch(() => undefined);
  };
  try {
    const [line] = await Promise.race([
      once(createInterface(server.stdout), 'line'),
      ended.then(() => Promise.reject(new Error('serve ended before it listened'))),
    ]);
    const { url } = JSON.parse(String(line)) as { url: string };
    return {
      url,
      pid: server.pid ?? 0,
      memory: () => readMemory(server, metricsPort),
      metric: async (name) => (await readMetrics(metricsPort))(name),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readMemory({ pid }: ChildProcess, metricsPort: number): Promise<Memory> {
  const metric = await readMetrics(metricsPort);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return {
    rss: field('VmRSS') * 1024,
    peak: field('VmHWM') * 1024,
    heap: metric('nodejs_heap_size_total_bytes'),
    external: metric('nodejs_external_memory_bytes'),
  };
}

async function readMetrics(port: number): Promise<(name: string) => number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
}
