import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../config/config.ts';
import { listRoutes, startServer, startWorkerProcess, writeApiDescription } from '../processes.ts';
import { printJson } from './command-io.ts';
import type { ServeRuns } from './process-commands.ts';

// CLI-10 allows ten seconds in all. Running requests and jobs take up to 4 s, closing the
// connections to the database 1 s, the embedded database 2 s. The rest is for slow machines.
const stopWithinMs = 7_500;

/** Waits until the process is told to stop, and limits the time from then on. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  await untilAborted(signal);
  // In case something hangs. All acknowledged data is already stored.
  setTimeout(() => process.exit(0), stopWithinMs).unref();
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

export const serve: ServeRuns['serve'] = async (_args, io, open) => {
  await using installation = await open(loadConfig());
  await using server = await startServer(installation.app);
  // Programs read JSON; a person at a terminal gets the address to open.
  const { baseUrl } = installation.app.config;
  if ('isTTY' in io.stdout && io.stdout.isTTY === true)
    io.stdout.write(`Podstead is ready. Open ${baseUrl}\n`);
  else printJson(io, { event: 'listening', url: server.url, baseUrl });
  // Otherwise a killed process would not save the compile cache.
  flushCompileCache();
  const { stopDelaySeconds } = installation.app.config;
  io.stopLater?.(stopDelaySeconds);
  await untilAborted(io.signal);
  if (stopDelaySeconds > 0) {
    installation.app.log.info({ seconds: stopDelaySeconds }, 'stopping after STOP_DELAY');
    server.announceStop();
    await sleep(stopDelaySeconds * 1_000);
  }
  await untilStopped(io.signal);
  installation.app.log.info('stopping');
};

export const worker: ServeRuns['worker'] = async (_args, io, open) => {
  await using installation = await open(loadConfig());
  await using _worker = await startWorkerProcess(installation.app);
  printJson(io, { event: 'working' });
  // Otherwise a killed process would not save the compile cache.
  flushCompileCache();
  await untilStopped(io.signal);
  installation.app.log.info('stopping');
};

export const openapi: ServeRuns['openapi'] = async (_args, io) => {
  io.stdout.write(writeApiDescription());
};

export const routes: ServeRuns['routes'] = async (_args, io) => {
  io.stdout.write(listRoutes());
};
