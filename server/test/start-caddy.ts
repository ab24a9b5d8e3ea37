import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';

export const hasCaddy = spawnSync('caddy', ['version']).status === 0;

export interface Caddy extends AsyncDisposable {
  readonly url: string;
  readonly accessLog: string;
  readonly httpsPort: number;
  readonly httpPort: number;
}

export interface CaddyOptions {
  /** Where it asks whether it may obtain a certificate. */
  readonly tlsAsk?: string;
  /** Default: free ones. */
  readonly ports?: Pick<Caddy, 'httpPort' | 'httpsPort'>;
  /** More global options, by line. */
  readonly options?: readonly string[];
}

/** Caddy with deploy/Caddyfile and its log, its own host without TLS, before a server at `port`. */
export async function startCaddy(
  folder: string,
  port: number,
  { tlsAsk, options = [], ports: given }: CaddyOptions = {},
): Promise<Caddy> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const ports = given ?? { httpPort: await freePort(), httpsPort: await freePort() };
  const accessLog = join(folder, 'caddy.log');
  const path = join(folder, 'Caddyfile');
  await writeFile(
    path,
    writeExample(accessLog, [
      'admin off',
      `http_port ${ports.httpPort}`,
      `https_port ${ports.httpsPort}`,
      ...options,
    ]),
  );
  const child = spawn('caddy', ['run', '--config', path, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: {
      ...{
        PATH: process.env['PATH'],
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        XDG_DATA_HOME: folder,
      },
      ...{ PODSTEAD_HOST: url, PODSTEAD_UPSTREAM: `127.0.0.1:${port}` },
      ...(tlsAsk !== undefined && { PODSTEAD_TLS_ASK: tlsAsk }),
    },
  });
  const ended = once(child, 'exit');
  const isServing = async () => {
    while (!(await fetch(`${url}/healthz`).catch(() => undefined))?.ok) await wait(20);
  };
  await Promise.race([isServing(), ended.then(() => Promise.reject(new Error('Caddy has ended')))]);
  ended.catch(() => undefined);
  return {
    ...{ url, accessLog, ...ports },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** deploy/Caddyfile with its log, and with these global options. */
function writeExample(accessLog: string, options: readonly string[]): string {
  const deployed = readFileSync(new URL('../../deploy/Caddyfile', import.meta.url), 'utf8');
  const logging = /^\t# (?=(?:@other|skip_log|log|\toutput|\}))/gm;
  const example = deployed
    .replace(logging, '\t')
    .replace('/var/log/caddy/podstead.log', () => accessLog);
  if (!example.includes(`\n\t\toutput file ${accessLog}\n`))
    throw new Error('Caddyfile has no log');
  const lines = options.map((line) => `\t${line}\n`).join('');
  const whole = example.replace(/^\{\n/m, () => `{\n${lines}`);
  if (whole === example) throw new Error('Caddyfile has no global options');
  return whole;
}
