import { Child } from '../child.ts';
import { createBenchDatabase } from '../installation/bench-database.ts';
import type { Place } from '../installation/open-installation.ts';
import { findFreePort } from '../public/serve-process.ts';
import { makeTempFolder } from '../temp-folder.ts';

/** A server that receives notifications, and an empty place for the installation that sends them. */
export interface Receiver extends AsyncDisposable {
  readonly host: Child;
  readonly port: number;
  /** The place, with the settings of every measurement and these. */
  place(settings: Readonly<Record<string, string>>): Place;
}

/** Starts a receiver. Disposing it removes the database and the folder, too. */
export async function openReceiver(signal: AbortSignal): Promise<Receiver> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await makeTempFolder());
  const database = opened.use(await createBenchDatabase());
  const script = new URL('./receiver.ts', import.meta.url);
  const { child: host, ready: port } = await Child.start<number>(script, {}, signal);
  opened.use(host);
  const common = {
    PORT: String(await findFreePort()),
    PUBLIC_RATE_LIMIT: '0',
    SECRET: 'x'.repeat(32),
  };
  const open = opened.move();
  return {
    host,
    port,
    place: (settings) => ({
      dataDir: folder.path,
      databaseUrl: database.url,
      settings: { ...common, ...settings },
    }),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Starts the installation; `ready` is its URL. */
export function startSender(place: Place, signal: AbortSignal) {
  const script = new URL('./serve-notifications.ts', import.meta.url);
  return Child.start<string>(script, place, signal);
}
