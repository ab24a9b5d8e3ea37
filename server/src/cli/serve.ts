import { flushCompileCache } from 'node:module';
import { loadConfig } from '../config/config.ts';
import { startServer } from '../processes.ts';
import type { RunAsProcess } from './command.ts';
import { printJson } from './command-io.ts';
import type { Serve } from './process-commands.ts';
import { untilStopped } from './until-stopped.ts';

export const run: RunAsProcess<Serve> = async (_args, io, open) => {
  await using installation = await open(loadConfig());
  await using server = await startServer(installation.app);
  // Programs read JSON; a person at a terminal gets the address to open.
  const { baseUrl } = installation.app.config;
  if ('isTTY' in io.stdout && io.stdout.isTTY === true)
    io.stdout.write(`Podstead is ready. Open ${baseUrl}\n`);
  else printJson(io, { event: 'listening', url: server.url, baseUrl });
  // Otherwise a killed process would not save the compile cache.
  flushCompileCache();
  await untilStopped(io.signal);
  installation.app.log.info('stopping');
};
