import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** The wanted port, or a free one where that is taken. */
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
