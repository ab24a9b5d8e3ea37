import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { App } from '../src/app.ts';
import type { CommandIo } from '../src/cli/command-io.ts';
import { createCommandRunner, runCommandLine } from '../src/cli/run-command-line.ts';
import type { EndedProgram } from './start-program.ts';

export interface Ran {
  readonly code: number;
  /** The parsed output. */
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints, looked at by a test.
  readonly json: any;
  readonly said: string;
}

/** Runs a command as a running server does. */
export async function runCommand(
  app: App,
  argv: readonly string[],
  changes: Partial<CommandIo> = {},
): Promise<Ran> {
  const { code, stdout, stderr } = await capture(changes, (io) =>
    createCommandRunner(app)(argv, io),
  );
  return { code, json: stdout === '' ? undefined : JSON.parse(stdout), said: stderr };
}

/**
 * Runs command lines in this process, all at the same time, as `runInProcess` does in one of its own. The
 * environment has only what `startProgram` gives and the given variables until all have ended. NODE_ENV is
 * `production`, so that no .env is read.
 */
export async function runCommandLines(
  typed: readonly (readonly string[])[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<EndedProgram[]> {
  const before = process.env;
  const { PATH, NODE_COMPILE_CACHE } = before;
  // Another object: what is remembered about the variables of one does not count for the next.
  process.env = { PATH, NODE_COMPILE_CACHE, TMPDIR: tmpdir(), NODE_ENV: 'production', ...env };
  try {
    return await Promise.all(
      typed.map((argv) => capture({ cwd }, (io) => runCommandLine(argv, io))),
    );
  } finally {
    process.env = before;
  }
}

async function capture(
  changes: Partial<CommandIo>,
  work: (io: CommandIo) => Promise<number>,
): Promise<EndedProgram & { readonly code: number }> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const [printed, said] = [text(stdout), text(stderr)];
  const code = await work({
    stdout,
    stderr,
    cwd: process.cwd(),
    isTerminal: false,
    canAsk: false,
    ask: () => Promise.reject(new Error('nobody is asked')),
    columns: 80,
    signal: new AbortController().signal,
    readPassword: () => Promise.reject(new Error('nobody is asked')),
    ...changes,
  });
  stdout.end();
  stderr.end();
  return { code, stdout: await printed, stderr: await said };
}
