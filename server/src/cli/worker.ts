import { flushCompileCache } from 'node:module';
import { loadConfig } from '../config/config.ts';
import { startWorkerProcess } from '../processes.ts';
import type { RunAsProcess } from './command.ts';
import { printJson } from './command-io.ts';
import type { Worker } from './process-commands.ts';
import { untilStopped } from './until-stopped.ts';

export const run: RunAsProcess<Worker> = async (_args, io, open) => {
  await using installation = await open(loadConfig());
  await using _worker = await startWorkerProcess(installation.app);
  printJson(io, { event: 'working' });
  // Otherwise a killed process would not save the compile cache.
  flushCompileCache();
  await untilStopped(io.signal);
  installation.app.log.info('stopping');
};
