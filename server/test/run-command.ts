import { tmpdir } from 'node:os';
import type { App } from '../src/app.ts';
import type { CommandIo } from '../src/cli/command-io.ts';
import { createCommandRunner, runCommandLine } from '../src/cli/run-command-line.ts';
import { captureCommand, captureOutput, type Ran } from './captured-command.ts';
import type { EndedProgram } from './start-program.ts';

/** Runs a command as a running server does. */
export function runCommand(
  app: App,
  argv: readonly string[],
  io: Partial<CommandIo> = {},
): Promise<Ran> {
  return captureCommand((captured) => createCommandRunner(app)(argv, { ...captured, ...io }));
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
      typed.map((argv) => captureOutput((io) => runCommandLine(argv, { ...io, cwd }))),
    );
  } finally {
    process.env = before;
  }
}
