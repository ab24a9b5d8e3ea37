import { execFileSync } from 'node:child_process';

/** Makes a named pipe. To open it to read blocks until somebody writes to it. */
export function makePipe(path: string): void {
  execFileSync('mkfifo', [path]);
}
