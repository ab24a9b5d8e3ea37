import { ChildProcesses } from '../../src/platform/processes/child-processes.ts';

// Two children that never end by themselves. Prints their ids.

const module = new URL('./child-tasks.ts', import.meta.url);
const limits = { memoryMb: 512, cpuMs: 600_000, wallMs: 600_000, resultBytes: 1000 };
const processes = new ChildProcesses({ most: 2 });
for (const owner of ['ana', 'bo']) {
  processes.ask({ module, task: 'loop', owner, limits }).catch(() => undefined);
}
setTimeout(() => console.log(JSON.stringify(processes.pids)), 500);
