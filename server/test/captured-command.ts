import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CommandIo } from '../src/cli/command-io.ts';
import type { EndedProgram } from './start-program.ts';

export interface Ran {
  readonly code: number;
  /** The parsed output. */
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints, looked at by a test.
  readonly json: any;
  readonly said: string;
}

/** Runs a command for a caller without a terminal, and returns its exit code and what it prints. */
export async function captureCommand(run: (io: CommandIo) => Promise<number>): Promise<Ran> {
  const { code, stdout, stderr } = await captureOutput(run);
  return { code, json: stdout === '' ? undefined : JSON.parse(stdout), said: stderr };
}

/** The same, for what is not always JSON. */
export async function captureOutput(
  run: (io: CommandIo) => Promise<number>,
): Promise<EndedProgram & { readonly code: number }> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const [printed, said] = [text(stdout), text(stderr)];
  const code = await run({
    stdout,
    stderr,
    cwd: process.cwd(),
    isTerminal: false,
    canAsk: false,
    ask: () => Promise.reject(new Error('nobody is asked')),
    columns: 80,
    signal: new AbortController().signal,
    readPassword: () => Promise.reject(new Error('nobody is asked')),
  });
  stdout.end();
  stderr.end();
  return { code, stdout: await printed, stderr: await said };
}
