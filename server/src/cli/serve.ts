import { once } from 'node:events';
import { loadConfig } from '../config/config.ts';
import { startServer } from '../processes.ts';
import { defineProcessCommand } from './command.ts';
import { printJson } from './command-io.ts';

// operator.md: ten seconds in all.
const stopWithinMs = 9_500;

export const serve = defineProcessCommand({
  name: 'serve',
  about: 'Serves the API, pages and files, and does the background work.',
  notes: [
    'Migrates first. Prints {"event":"listening","url":…} when it is ready. SIGTERM and SIGINT stop',
    'it within 10 s, finishing requests under way; a second one ends it at once. WORKER=off leaves',
    'the background work to `worker`.',
  ].join('\n'),
  async run(_args, io, open) {
    await using installation = await open(loadConfig());
    await using server = await startServer(installation.app);
    printJson(io, { event: 'listening', url: server.url });
    await untilStopped(io.signal);
    installation.app.log.info('stopping');
    // Whatever hangs: everything that was acknowledged is in the stores already.
    setTimeout(() => process.exit(0), stopWithinMs).unref();
  },
});

export async function untilStopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
