import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { cpuLimitAt, endedFor, memoryLimitAt, type WatchData } from './job.ts';

// The thread of a child process that ends it: the main thread may be busy in native code.

const { limits, parentId } = workerData as WatchData;
const limit = new Float64Array(limits);
const pause = new Int32Array(new SharedArrayBuffer(4));
const everyMs = 50;
const bytesPerMb = 1024 * 1024;

for (;;) {
  Atomics.wait(pause, 0, 0, everyMs);
  // The parent has ended without closing us.
  if (process.ppid !== parentId) kill();
  const memoryMb = limit[memoryLimitAt] as number;
  if (memoryMb === 0) continue;
  if (process.memoryUsage.rss() > memoryMb * bytesPerMb) kill(endedFor.memory);
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1000 > (limit[cpuLimitAt] as number)) kill(endedFor.time);
}

function kill(reason?: string): void {
  try {
    if (reason !== undefined) writeSync(2, `${reason}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
