import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies a process, even if its pid is reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time since boot, in clock ticks; null without /proc. */
  readonly startedAtTicks: string | null;
  /** The scope of a pid: a boot of a machine and, on Linux, a container. */
  readonly place: string;
}

// Fields 3 and 22 of /proc/<pid>/stat, counted from the first after the name in parentheses.
const STATE = 3 - 3;
const START_TIME = 22 - 3;
const ENDED = new Set(['Z', 'X']);

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    startedAtTicks: readStat(process.pid)?.[START_TIME] ?? null,
    place: ownPlace(),
  };
}

/** 'unknown': the process is in another container or machine and cannot be seen from here. */
export function livenessOf(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (identity.place !== ownPlace()) return 'unknown';
  if (!processExists(identity.pid)) return 'dead';
  const stat = readStat(identity.pid);
  if (!stat) return 'alive';
  // A zombie, or another process with the same pid.
  const isGone = ENDED.has(stat[STATE] ?? '') || stat[START_TIME] !== identity.startedAtTicks;
  return isGone ? 'dead' : 'alive';
}

function ownPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Whether any process, of any user, has this id here. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may contain spaces and parentheses; the rest does not.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
