import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** Starts a program of `programs/`, which the test kills. It gets only the given environment. */
export function startTestProgram(
  name: 'count-deliveries' | 'import-feed' | 'send-emails' | 'write-journal',
  env: Readonly<Record<string, string>>,
): ChildProcessByStdio<Writable, Readable, null> {
  const { NODE_COMPILE_CACHE = '' } = process.env;
  return spawn(process.execPath, [join(import.meta.dirname, 'programs', `${name}.ts`)], {
    env: { NODE_COMPILE_CACHE, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
