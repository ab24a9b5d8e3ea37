import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when something listens on this port of 127.0.0.1; rejects if the program has ended. */
export async function waitForPort(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${child.spawnfile} has ended`);
    await sleep(20);
  }
}
