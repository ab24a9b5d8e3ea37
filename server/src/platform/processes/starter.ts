import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { StarterEvent, StarterRequest } from './process-starter.ts';

// The program of a ProcessStarter: it starts processes and says how they end. It ends with its parent, and all
// of them with it.

const [, , folder = '', ...command] = process.argv;
const stderrChars = 4_000;
/** As a nice value, of which 19 is the highest: little more than what the server and its database leave. */
const priority = Math.min(getPriority() + 10, 19);

/** By the paths where they connect to. */
const children = new Map<string, ChildProcess>();

/** A signal for all processes of a service is for the parent, which may still need them. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

process.on('message', (request: StarterRequest) => {
  if ('start' in request) start(request.start);
  else children.get(request.kill)?.kill('SIGKILL');
});

process.on('disconnect', () => {
  for (const child of children.values()) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});

function start(path: string): void {
  let stderr = '';
  const child = spawn(process.execPath, [...command, path], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Linux divides the processors between sessions before it looks at the priority of a process.
    detached: true,
  });
  children.set(path, child);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrChars);
  });
  child.on('error', ({ message }) => {
    stderr += message;
  });
  child.on('close', (code, signal) => {
    children.delete(path);
    say({ path, code, signal, stderr });
  });
  if (child.pid === undefined) return;
  lowerPriority(child.pid);
  say({ path, pid: child.pid });
}

/** Without a parent, nobody listens. */
function say(event: StarterEvent): void {
  process.send?.(event, undefined, undefined, () => {});
}

/** The server's own threads come first, in its session and as a session. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, priority);
    writeFileSync(`/proc/${pid}/autogroup`, `${priority}`);
  } catch {
    // It has ended, or the system does not allow it or has no such groups.
  }
}
