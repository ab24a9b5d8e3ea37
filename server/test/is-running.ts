import { execFileSync } from 'node:child_process';

/** Whether a process exists, and is more than an entry of a table. */
export function isRunning(pid: number): boolean {
  try {
    return !/^[ZX]/.test(
      execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }),
    );
  } catch {
    return false;
  }
}
