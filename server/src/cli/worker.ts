import { loadConfig } from '../config/config.ts';
import { defineProcessCommand } from './command.ts';
import { printJson } from './command-io.ts';
import { untilStopped } from './until-stopped.ts';

export const worker = defineProcessCommand({
  name: 'worker',
  about: 'Does the background work alone, for installations of several processes.',
  notes: [
    'Any number of them may run on one PostgreSQL; with the embedded database `serve` does it all.',
    'Prints {"event":"working"} when it is ready. SIGTERM and SIGINT stop it within 10 s.',
  ].join('\n'),
  async run(_args, io, open) {
    const { startWorker } = await import('../processes.ts');
    await using installation = await open(loadConfig());
    await using _worker = await startWorker(installation.app);
    printJson(io, { event: 'working' });
    await untilStopped(io.signal);
    installation.app.log.info('stopping');
  },
});
