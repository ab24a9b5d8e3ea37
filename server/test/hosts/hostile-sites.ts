import type { IncomingMessage, ServerResponse } from 'node:http';
import { createOutboundHttp } from '../../src/platform/outbound-http/create-outbound-http.ts';
import type {
  OutboundFailure,
  OutboundHttp,
} from '../../src/platform/outbound-http/outbound-http.ts';
import type { Certificate } from './certificate.ts';

// "Sites" that an attacker may connect to reach our network or to keep us busy. All code that calls
// sites is tested with these tables.

/** Homes that must never be called. `resolvesTo`: the address that their host resolves to. */
export const refusedHomes: readonly {
  readonly home: string;
  readonly failure: OutboundFailure;
  readonly resolvesTo?: readonly string[];
}[] = [
  ...[
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://①②⑦.0.0.1/',
    'https://0/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/',
    'https://192.168.0.1/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:7f00:1::]/',
    'https://[fc00::1]/',
    'https://[fe80::1]/',
  ].map((home) => ({ home, failure: 'address_not_allowed' as const })),
  ...[
    'https://[fe80::1%25eth0]/',
    'https://[fe80::1%eth0]/',
    'https://name@blog.sites.test/',
    'https://name:word@blog.sites.test/',
    'ftp://blog.sites.test/',
    'file:///etc/passwd',
  ].map((home) => ({ home, failure: 'bad_address' as const })),
  { home: 'http://blog.sites.test/', failure: 'https_required' },
  ...[
    ['127.0.0.1'],
    ['10.0.0.1', '::1', '169.254.169.254'],
    ['::ffff:10.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['fe80::1%eth0'],
  ].map((resolvesTo) => ({
    home: 'https://blog.sites.test/',
    resolvesTo,
    failure: 'address_not_allowed' as const,
  })),
  { home: 'https://blog.sites.test/', resolvesTo: [], failure: 'unreachable' },
];

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

const redirectTo =
  (location: string, status = 302): Handle =>
  (_, response) =>
    void response.writeHead(status, { Location: location }).end();

/** Sites that give no valid response, and the failure for a caller that follows no redirects. */
export const hostileSites: readonly {
  readonly title: string;
  readonly handle: Handle;
  readonly failure: OutboundFailure;
}[] = [
  ...[
    'https://127.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'http://blog.sites.test/',
    '/elsewhere',
  ].map((location) => ({
    title: `redirects to ${location}`,
    handle: redirectTo(location),
    failure: 'too_many_redirects' as const,
  })),
  {
    title: 'repeats the request elsewhere by a 307',
    handle: redirectTo('https://other.sites.test/', 307),
    failure: 'too_many_redirects',
  },
  {
    title: 'redirects to a file',
    handle: redirectTo('file:///etc/passwd'),
    failure: 'bad_address',
  },
  { title: 'never responds', handle: () => undefined, failure: 'timeout' },
  { title: 'sends its headers byte by byte', handle: dripHeaders, failure: 'timeout' },
  {
    title: 'sends headers without end',
    handle: (_, { socket }) => {
      socket?.write('HTTP/1.1 200 OK\r\n');
      pour(socket, `X-Long: ${'x'.repeat(8_000)}\r\n`);
    },
    failure: 'unreachable',
  },
  {
    title: 'sends interim responses without end',
    handle: (_, { socket }) => pour(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10), 5),
    failure: 'timeout',
  },
  {
    title: 'speaks another protocol',
    handle: (_, { socket }) => void socket?.end('220 smtp.example.com ESMTP\r\n'),
    failure: 'unreachable',
  },
  { title: 'hangs up', handle: (_, { socket }) => void socket?.destroy(), failure: 'unreachable' },
];

/** Sites that respond 200 with a bad body, and the failure for a caller that reads the body. */
export const hostileBodies: typeof hostileSites = [
  {
    title: 'never ends its body',
    handle: (_, response) => pour(response.writeHead(200), Buffer.alloc(64 * 1024)),
    failure: 'too_large',
  },
  {
    title: 'sends its body byte by byte',
    handle: (_, response) => pour(response.writeHead(200), '.', 10),
    failure: 'timeout',
  },
  {
    title: 'breaks its body off',
    handle: (_, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('{', () => response.destroy());
    },
    failure: 'unreachable',
  },
];

/** The production client, with `resolve` as its resolver. */
export function createSiteClient(
  tls: Pick<Certificate, 'cert'> | undefined,
  resolve: () => readonly string[] = () => ['127.0.0.1'],
): OutboundHttp {
  const lookup = async () => resolve();
  const trusted = tls === undefined ? {} : { authority: tls.cert };
  return createOutboundHttp({ allow: ['127.0.0.1'], userAgent: 'test', lookup, ...trusted });
}

function dripHeaders(_: IncomingMessage, { socket }: ServerResponse): void {
  socket?.write('HTTP/1.1 200 OK\r\nX-Slow: ');
  pour(socket, 'x', 10);
}

interface Pipe {
  readonly destroyed: boolean;
  write(chunk: string | Buffer): boolean;
  once(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Writes as long as there is a reader: as fast as it reads, or at intervals. */
function pour(to: Pipe | null, chunk: string | Buffer, everyMs?: number): void {
  if (to === null) return;
  if (everyMs !== undefined) {
    const timer = setInterval(() => to.write(chunk), everyMs);
    to.once('close', () => clearInterval(timer));
    return;
  }
  const more = (): void => {
    while (!to.destroyed && to.write(chunk));
    if (!to.destroyed) to.once('drain', more);
  };
  more();
}
