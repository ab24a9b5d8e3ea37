import { type App, createApp } from '../app.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../platform/log/log.ts';
import { openControlSocket } from './control/host.ts';
import type { CarryOut } from './control/serve-caller.ts';

export interface Installation extends AsyncDisposable {
  readonly app: App;
}

export interface InstallationOptions {
  readonly log: Log;
  /** Aborted when this process is to stop. */
  readonly stopping: AbortSignal;
  /** How a command run beside this process is carried out; on the embedded database alone. */
  readonly carryOut: (app: App) => CarryOut;
}

/**
 * Opens the installation for this process. On the embedded database nobody else can then, so
 * commands run beside are carried out here; disposing waits for those under way. Throws
 * DatabaseInUseError when another process was first.
 */
export async function openInstallation(
  config: Config,
  options: InstallationOptions,
): Promise<Installation> {
  await using opened = new AsyncDisposableStack();
  const { log, stopping } = options;
  const app = opened.use(await createApp(config, { log }));
  if (config.database.kind === 'embedded') {
    const { dataDir } = config;
    const carryOut = options.carryOut(app);
    const socket = await openControlSocket({ dataDir, log, stopping, carryOut }).catch((error) => {
      // Some file systems hold no sockets (mounts into containers): commands have to wait then.
      log.info({ err: error }, 'commands cannot be carried out beside this process');
    });
    if (socket) opened.use(socket);
  }
  const resources = opened.move();
  return { app, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
