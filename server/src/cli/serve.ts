import { loadConfig } from '../config/config.ts';
import { defineProcessCommand } from './command.ts';
import { printJson } from './command-io.ts';
import { untilStopped } from './until-stopped.ts';

export const serve = defineProcessCommand({
  name: 'serve',
  about: 'Serves the API, pages and files, and does the background work.',
  notes: [
    'Migrates first. Prints {"event":"listening","url":…} when it is ready. SIGTERM and SIGINT stop',
    'it within 10 s, finishing requests under way; a second one ends it at once. WORKER=off leaves',
    'the background work to `worker`.',
  ].join('\n'),
  async run(_args, io, open) {
    // Only here: what serves is half of the program, and the other commands start without it.
    const { startServer } = await import('../processes.ts');
    await using installation = await open(loadConfig());
    await using server = await startServer(installation.app);
    printJson(io, { event: 'listening', url: server.url });
    await untilStopped(io.signal);
    installation.app.log.info('stopping');
  },
});
