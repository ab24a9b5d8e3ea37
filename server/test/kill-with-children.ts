import { readFileSync } from 'node:fs';

/** SIGKILL to a process and all that it has started, as far as they are still its descendants. */
export function killWithChildren(pid: number): void {
  // The children first: they get another parent when it ends.
  const children = childrenOf(pid);
  killIfThere(pid);
  for (const child of children) killWithChildren(child);
}

function childrenOf(pid: number): readonly number[] {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return list.trim().split(' ').map(Number).filter(Boolean);
  } catch {
    return [];
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
