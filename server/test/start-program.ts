import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const thisCheckout = join(import.meta.dirname, '../..');

export interface EndedProgram {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly child: ChildProcess & { readonly stdin: NodeJS.WritableStream };
  readonly ended: Promise<EndedProgram>;
  /** Its first line of output as JSON. If it ends before, rejects with its output. */
  ready(): Promise<{ readonly event: string; readonly url: string }>;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whose program; by default that of this checkout. */
  readonly checkout?: string | undefined;
}

/** Starts the program. Its environment has only PATH, TMPDIR and the given variables. */
export function startProgram(
  argv: readonly string[],
  { cwd, env, checkout = thisCheckout }: ProgramOptions,
): Program {
  const main = join(checkout, 'server/src/start.js');
  const child = spawn(process.execPath, ['--', main, ...argv], {
    cwd,
    env: { PATH: process.env['PATH'], TMPDIR: tmpdir(), ...env },
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]): EndedProgram => ({ code: code as number | null, stdout, stderr }),
  );
  return {
    child,
    ended,
    ready: async () => {
      const [line] = await Promise.race([
        once(createInterface(child.stdout), 'line') as Promise<[string]>,
        ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
      ]);
      return JSON.parse(line) as { event: string; url: string };
    },
  };
}
