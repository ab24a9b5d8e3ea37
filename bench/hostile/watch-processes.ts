import { readdirSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The peaks of a server's resident memory, in bytes. */
export interface Peaks {
  readonly server: number;
  /** The sum of its child processes. */
  readonly children: number;
  /** The number of its child processes. */
  readonly processes: number;
}

export interface ProcessWatch extends Disposable {
  readonly peaks: Peaks;
}

const everyMs = 500;

/** Looks at a process and its children twice a second. Only on Linux. */
export function watchProcesses(pid: number): ProcessWatch {
  const peaks = { server: 0, children: 0, processes: 0 };
  const look = () => {
    const children = descendantsOf(pid);
    const sum = children.map(residentBytes).reduce((a, b) => a + b, 0);
    peaks.server = Math.max(peaks.server, residentBytes(pid));
    peaks.children = Math.max(peaks.children, sum);
    peaks.processes = Math.max(peaks.processes, children.length);
  };
  const timer = setInterval(look, everyMs);
  return { peaks, [Symbol.dispose]: () => clearInterval(timer) };
}

/** Whether the process exists. */
export const isRunning = (pid: number): boolean => residentBytes(pid) > 0;

/** Its children, and theirs. */
function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Of all threads of the process, which each have their own list. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter((text) => text !== '')
        .map(Number),
    );
  } catch {
    return [];
  }
}

/** 0 for a process that has ended. */
function residentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The size of all files in a folder. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    // Files may be deleted in the meantime.
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    bytes += found?.size ?? 0;
  }
  return bytes;
}
