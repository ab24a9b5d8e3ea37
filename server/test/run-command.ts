import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { App } from '../src/app.ts';
import type { CommandIo } from '../src/cli/command-io.ts';
import { createCommandRunner } from '../src/cli/run-command-line.ts';

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
  io: Partial<CommandIo> = {},
): Promise<Ran> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const printed = text(stdout);
  const said = text(stderr);
  const code = await createCommandRunner(app)(argv, {
    stdout,
    stderr,
    cwd: process.cwd(),
    isTerminal: false,
    canAsk: false,
    ask: () => Promise.reject(new Error('nobody is asked')),
    columns: 80,
    signal: new AbortController().signal,
    readPassword: () => Promise.reject(new Error('nobody is asked')),
    ...io,
  });
  stdout.end();
  stderr.end();
  const json = await printed;
  return { code, json: json === '' ? undefined : JSON.parse(json), said: await said };
}
