import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from '../installation/open-installation.ts';
import { repositoryRoot } from '../public/serve-process.ts';

export interface EndedCommand {
  /** Null: it was killed. */
  readonly code: number | null;
  /** Undefined: it printed nothing. */
  readonly json: unknown;
  readonly stderr: string;
  readonly seconds: number;
  /** The peak of its resident memory. */
  readonly peakBytes: number;
}

const sampleMs = 20;

/** Runs a command as an operator does, in a process of its own, and kills it after `killAfterMs`. */
export async function runCommand(
  { dataDir, databaseUrl }: Place,
  argv: readonly string[],
  { signal, killAfterMs }: { readonly signal: AbortSignal; readonly killAfterMs?: number },
): Promise<EndedCommand> {
  const begunAt = performance.now();
  const child = spawn(process.execPath, [join(repositoryRoot, 'server/src/start.js'), ...argv], {
    cwd: repositoryRoot,
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      SECRET: 'a secret of the bench, and of nobody else',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  const killing =
    killAfterMs === undefined
      ? undefined
      : setTimeout(() => void child.kill('SIGKILL'), killAfterMs);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'exit');
  let [hasEnded, peakBytes] = [false, 0];
  ended.finally(() => (hasEnded = true)).catch(() => undefined);
  while (!hasEnded) {
    peakBytes = Math.max(peakBytes, readPeak(child.pid ?? 0));
    await Promise.race([ended, sleep(sampleMs)]);
  }
  clearTimeout(killing);
  const [code] = (await ended) as [number | null];
  const [stdout, stderr] = await output;
  const seconds = (performance.now() - begunAt) / 1000;
  return { code, json: stdout === '' ? undefined : JSON.parse(stdout), stderr, seconds, peakBytes };
}

/** 0 if the process has ended. */
function readPeak(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
