import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callHost } from '../../../server/src/cli/control/call-host.ts';
import { captureCommand } from '../../../server/test/captured-command.ts';
import { freePort } from '../../../server/test/free-port.ts';
import { type Program, startProgram } from '../../../server/test/start-program.ts';
import { serviceHosts, type WordPress } from './start-wordpress.ts';

interface HeldRequest {
  release(): void;
}

export interface Service {
  readonly url: string;
  /** Runs a command in the server, as its command line does; returns what it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints, looked at by a test.
  command(...argv: readonly string[]): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  seed(file: object): Promise<any>;
  /** Ends the server as a power failure would, and starts it again with the same data. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Requests since the last call: method, path with query, status. */
  takeRequests(): readonly string[];
  /** Lets the next request for an address with this end wait; resolves once it waits. */
  hold(end: string): Promise<HeldRequest>;
  stop(): Promise<void>;
}

/** The server with its own data, behind TLS at `https://api.svc.test`. */
export async function startService(wordpress: WordPress): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'podstead-wordpress-'));
  const port = await freePort();
  const env = {
    PORT: String(port),
    BASE_URL: 'https://api.svc.test',
    EMBED_URL: 'https://embed.svc.test',
    DATA_DIR: join(folder, 'data'),
    NODE_EXTRA_CA_CERTS: wordpress.authority,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
    PUBLIC_RATE_LIMIT: '0',
  };
  let program: Program | undefined;
  const start = async () => {
    program = startProgram(['serve'], { cwd: folder, env });
    await program.ready();
  };
  const kill = async () => {
    program?.child.kill('SIGKILL');
    await program?.ended;
  };
  await start();
  const proxy = await startProxy(wordpress.certificate, port);
  // Starting a program for each command would take most of the time of these tests.
  const command = async (...argv: readonly string[]) => {
    const { code, json, said } = await captureCommand(async (io) => {
      const exitCode = await callHost(env.DATA_DIR, argv, { ...io, cwd: folder });
      if (exitCode === undefined) throw new Error('the server accepts no commands');
      return exitCode;
    });
    if (code !== 0) throw new Error(`${argv.join(' ')}: ${said}`);
    return json;
  };
  return {
    url: env.BASE_URL,
    command,
    seed: (file) => {
      const path = join(folder, `seed-${process.hrtime.bigint()}.json`);
      writeFileSync(path, JSON.stringify(file));
      return command('seed', path);
    },
    kill,
    start,
    takeRequests: proxy.takeRequests,
    hold: proxy.hold,
    stop: async () => {
      await kill();
      await proxy.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Ends TLS for both hosts of the service. */
async function startProxy(certificate: WordPress['certificate'], port: number) {
  let requests: string[] = [];
  let toHold: { end: string; held: (request: HeldRequest) => void } | undefined;
  const server = createServer(certificate, async (incoming, outgoing) => {
    const waiting = toHold;
    if (waiting && incoming.url?.endsWith(waiting.end)) {
      toHold = undefined;
      await new Promise<void>((release) => waiting.held({ release }));
    }
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
      requests.push(`${method} ${url} ${response.statusCode}`);
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.headersSent || outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });
  server.listen(443, serviceHosts.address);
  await once(server, 'listening');
  if ((server.address() as AddressInfo).port !== 443) throw new Error('not on port 443');
  return {
    takeRequests: () => {
      const taken = requests;
      requests = [];
      return taken;
    },
    hold: (end: string) =>
      new Promise<HeldRequest>((held) => {
        toHold = { end, held };
      }),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
