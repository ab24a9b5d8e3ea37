import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Sets the nice value of this process, and that of its session: Linux divides the processors between
 * sessions first. The clients of a real server have processors of their own.
 */
export function setSessionPriority(nice: number): void {
  try {
    setPriority(nice);
    writeFileSync('/proc/self/autogroup', String(nice));
  } catch {
    // Only root may go before others, and not every kernel has such sessions.
  }
}
