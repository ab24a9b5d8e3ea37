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
}

/** Caddy with deploy/Caddyfile and its log, without TLS, before a server at `port`. */
export async function startCaddy(folder: string, port: number): Promise<Caddy> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const accessLog = join(folder, 'caddy.log');
  const path = join(folder, 'Caddyfile');
  const deployed = readFileSync(new URL('../../deploy/Caddyfile', import.meta.url), 'utf8');
  const logging = /^\t# (?=(?:@other|skip_log|log|\toutput|\}))/gm;
  const example = deployed
    .replace(logging, '\t')
    .replace('/var/log/caddy/podstead.log', () => accessLog);
  if (!example.includes(`\n\t\toutput file ${accessLog}\n`))
    throw new Error('Caddyfile has no log');
  await writeFile(path, `{\n\tadmin off\n}\n${example}`);
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
    },
  });
  const ended = once(child, 'exit');
  const isServing = async () => {
    while (!(await fetch(`${url}/healthz`).catch(() => undefined))?.ok) await wait(20);
  };
  await Promise.race([isServing(), ended.then(() => Promise.reject(new Error('Caddy has ended')))]);
  ended.catch(() => undefined);
  return {
    url,
    accessLog,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
