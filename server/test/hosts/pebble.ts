import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../free-port.ts';
import { waitForPort } from '../wait-for-port.ts';
import { type Certificate, makeCertificate } from './certificate.ts';

export const hasPebble = spawnSync('pebble', ['-h']).error === undefined;

/** An authority that issues certificates by ACME. */
export interface Pebble extends AsyncDisposable {
  readonly directory: string;
  /** A file with the authority of its own https address. */
  readonly rootFile: string;
  /** The authority of what it issues, in PEM. */
  readonly issuer: string;
}

/** Pebble. It checks challenges at these ports of the addresses that the name server gives. */
export async function startPebble(
  folder: string,
  nameServer: string,
  ports: { readonly httpPort: number; readonly httpsPort: number },
): Promise<Pebble> {
  const own = makeCertificate(['localhost']);
  if (own === undefined) throw new Error('there is no openssl');
  const [port, managementPort] = [await freePort(), await freePort()];
  const files = await writeFiles(folder, own, {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    httpPort: ports.httpPort,
    tlsPort: ports.httpsPort,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  });
  const child = spawn('pebble', ['-config', files.config, '-dnsserver', nameServer], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], PEBBLE_VA_NOSLEEP: '1' },
  });
  const ended = once(child, 'exit');
  await waitForPort(managementPort, child);
  await waitForPort(port, child);
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    rootFile: files.cert,
    issuer: await getText(`https://127.0.0.1:${managementPort}/roots/0`, own.cert),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function writeFiles(folder: string, { cert, key }: Certificate, options: object) {
  const at = (name: string) => join(folder, name);
  const files = { cert: at('pebble.pem'), key: at('pebble.key'), config: at('pebble.json') };
  await writeFile(files.cert, cert);
  await writeFile(files.key, key);
  const pebble = { ...options, certificate: files.cert, privateKey: files.key };
  await writeFile(files.config, JSON.stringify({ pebble }));
  return files;
}

async function getText(url: string, ca: string): Promise<string> {
  const [response] = await once(request(url, { ca }).end(), 'response');
  return text(response);
}
