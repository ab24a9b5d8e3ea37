import { type App, createApp } from '../app.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../platform/log/log.ts';
import { openControlSocket } from './control/host.ts';
import type { CommandRunner } from './control/serve-command.ts';

export interface Installation extends AsyncDisposable {
  readonly app: App;
}

export interface InstallationOptions {
  readonly log: Log;
  /** Whether tables may be created in an empty database. */
  readonly mayBegin: boolean;
  /** For a restore: apply only the first of the migrations, and only to an empty database. */
  readonly migrations?: number | undefined;
  /** Aborts when this process stops. */
  readonly stopping: AbortSignal;
  /** Runs commands of other processes here; on the embedded database only. */
  readonly runCommand: (app: App) => CommandRunner;
}

/**
 * Opens the installation for this process. With the embedded database, no other process can open
 * it, so this process runs the commands of others; disposing waits for those. Throws
 * DatabaseInUseError if another process has it.
 */
export async function openInstallation(
  config: Config,
  options: InstallationOptions,
): Promise<Installation> {
  await using opened = new AsyncDisposableStack();
  const { log, stopping, mayBegin, migrations: first } = options;
  const app = opened.use(await createApp(config, { log }, { mayBegin, first }));
  if (config.database.kind === 'embedded') {
    const { dataDir } = config;
    const runCommand = options.runCommand(app);
    const socket = await openControlSocket({ dataDir, log, stopping, runCommand }).catch(
      (error) => {
        // Some file systems (container mounts) support no sockets; commands then have to wait.
        log.info({ err: error }, 'other processes cannot run commands while this one runs');
      },
    );
    if (socket) opened.use(socket);
  }
  const resources = opened.move();
  return { app, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
