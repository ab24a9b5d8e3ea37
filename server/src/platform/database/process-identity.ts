import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Which process, told apart from any other that has had or will have the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Since boot, in clock ticks; null where /proc does not tell. */
  readonly startedAtTicks: string | null;
  /** Within which a number means one process: a boot of a machine and, on Linux, a container. */
  readonly place: string;
}

// Fields 3 and 22 of /proc/<pid>/stat, counted from the first after the name in brackets.
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

/** 'unknown': it belongs to another container or machine, whose processes cannot be seen here. */
export function livenessOf(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (identity.place !== ownPlace()) return 'unknown';
  if (!exists(identity.pid)) return 'dead';
  const stat = readStat(identity.pid);
  if (!stat) return 'alive';
  // Ended but not yet fetched by its parent, or another process that has got its number.
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

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there, but another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold blanks and brackets; what follows the last bracket does not.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
