import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { parseSettings } from '../../config/environment.ts';
import type { ReadSetting } from '../../config/settings.ts';

/** Where to listen. */
interface Position {
  readonly port: number;
  readonly host: string;
  readonly metricsPort: number | undefined;
}

/** Ports and host from the settings. In addition, PORT may be 0 for any free port. */
export function readPosition(read: readonly ReadSetting[]): Position {
  const isAny = read.some(({ name, text }) => name === 'PORT' && text === '0');
  const settings = parseSettings(isAny ? read.filter(({ name }) => name !== 'PORT') : read);
  const { PORT, HOST: host, METRICS_PORT: metricsPort } = settings;
  return { port: isAny ? 0 : PORT, host, metricsPort };
}

/** The wanted port, or a free one if that is taken. */
export async function choosePort(wanted: number, host: string): Promise<number> {
  return (await tryPort(wanted, host)) ?? (await tryPort(0, host)) ?? wanted;
}

async function tryPort(port: number, host: string): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}
