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

/**
 * Gives the session of a server about three shares of the processors, which `CPUWeight` in its systemd
 * unit does. Without that, each process of PostgreSQL has as large a share as the whole server.
 */
export function setShareOfService(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, '-5');
  } catch {
    // As above.
  }
}
