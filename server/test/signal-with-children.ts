import { readFileSync } from 'node:fs';

/** A signal to a process and all that it has started, as far as they are still its descendants. */
export function signalWithChildren(pid: number, signal: NodeJS.Signals): void {
  // Read before: children get another parent when it ends.
  const children = childrenOf(pid);
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
  for (const child of children) signalWithChildren(child, signal);
}

function childrenOf(pid: number): readonly number[] {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return list.trim().split(' ').map(Number).filter(Boolean);
  } catch {
    return [];
  }
}
