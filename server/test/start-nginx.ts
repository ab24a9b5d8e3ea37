import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { waitForPort } from './wait-for-port.ts';

/** On Debian it is only in the PATH of root. */
export const nginxProgram = ['nginx', '/usr/sbin/nginx'].find(
  (name) => spawnSync(name, ['-v']).status === 0,
);
export const hasNginx = nginxProgram !== undefined;
const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1');

export interface Nginx extends AsyncDisposable {
  readonly url: string;
  /** The same over IPv6; undefined on a machine without it. */
  readonly ipv6Url: string | undefined;
  /** What the example has at port 80. */
  readonly redirectUrl: string;
  readonly accessLog: string;
  /** What nginx itself says, unless the example says otherwise. */
  readonly errorLog: string;
  readonly child: ChildProcess;
  /** The size of responses that nginx keeps on its disk at the moment; needs Linux. */
  bufferedBytes(): Promise<number>;
}

/** deploy/nginx.conf, and its location for audio that Podstead sends, which is a comment there. */
function readNginxExample(): { example: string; ownAudio: string } {
  const example = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8');
  const [, commented] =
    /replace `location \/stored\/` with this:\n *#\n((?: *#.*\n)+)/.exec(example) ?? [];
  if (commented === undefined) throw new Error('deploy/nginx.conf has no location for audio');
  return { example, ownAudio: commented.replace(/^ *# ?/gm, '') };
}

function replaceOnce(text: string, part: string | RegExp, by: string): string {
  const replaced = text.replace(part, () => by);
  if (replaced === text) throw new Error(`the example for nginx has no ${part}`);
  return replaced;
}

interface NginxOptions {
  /** Further blocks of the configuration, or directives of `http`. */
  readonly otherServers?: string;
  /** Who sends audio: nginx, by X_ACCEL_REDIRECT, or Podstead. */
  readonly sender?: 'nginx' | 'podstead';
}

/**
 * nginx with deploy/nginx.conf, before a server at `port` with files in `dataDir`, which also gets
 * nginx's own. Clients may request a slow response: `X-Test-Rate: 20k`.
 */
export async function startNginx(
  folder: string,
  port: number,
  dataDir: string,
  { otherServers = '', sender = 'nginx' }: NginxOptions = {},
): Promise<Nginx> {
  const [ownPort, redirectPort] = [await freePort(), await freePort()];
  const ipv6Listen = (port: number) => (hasIpv6 ? `listen [::1]:${port};` : '');
  await mkdir(join(folder, 'tmp'), { recursive: true });
  const accessLog = join(folder, 'access.log');
  const errorLog = join(folder, 'error.log');
  const { example: whole, ownAudio } = readNginxExample();
  let example = whole;
  for (const [part, by] of [
    ['/var/log/nginx/podstead.log', accessLog],
    ['listen 443 ssl;', `listen 127.0.0.1:${ownPort};`],
    ['listen [::]:443 ssl;', ipv6Listen(ownPort)],
    ['listen 80;', `listen 127.0.0.1:${redirectPort};`],
    ['listen [::]:80;', ipv6Listen(redirectPort)],
    [/^ *ssl_certificate .*\n/m, ''],
    [/^ *ssl_certificate_key .*\n/m, ''],
    ['127.0.0.1:3000', `127.0.0.1:${port}`],
    ['/var/lib/podstead/blobs/', `${dataDir}/blobs/`],
  ] as const) {
    example = replaceOnce(example, part, by);
  }
  if (sender === 'podstead') {
    const own = replaceOnce(ownAudio, '127.0.0.1:3000', `127.0.0.1:${port}`);
    example = replaceOnce(example, /^ {2}location \/stored\/ \{.*?^ {2}\}\n/ms, own);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/tmp/${name};`,
  );
  const lines = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    ...['daemon off;', 'worker_processes 1;', `pid ${folder}/nginx.pid;`],
    ...['error_log stderr error;', `error_log ${errorLog};`],
    ...['events {}', 'http {', 'sendfile on;'],
    ...temporary,
    'map $http_x_test_rate $test_rate { "" 0; default $http_x_test_rate; }',
    ...['limit_rate $test_rate;', example, otherServers, '}'],
  ];
  await writeFile(join(folder, 'nginx.conf'), lines.join('\n'));
  const child = spawn(nginxProgram ?? 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await waitForPort(ownPort, child);
  return {
    url: `http://127.0.0.1:${ownPort}`,
    ipv6Url: hasIpv6 ? `http://[::1]:${ownPort}` : undefined,
    redirectUrl: `http://127.0.0.1:${redirectPort}`,
    accessLog,
    errorLog,
    child,
    bufferedBytes: () => countBuffered(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** nginx removes the name of such a file at once, so only its workers still have it. */
async function countBuffered(pid: number): Promise<number> {
  let bytes = 0;
  const workers = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const worker of workers.trim().split(' ')) {
    const folder = `/proc/${worker}/fd`;
    for (const name of await readdir(folder)) {
      const file = join(folder, name);
      const target = await readlink(file).catch(() => '');
      if (!/\/tmp\/proxy\/.*\(deleted\)$/.test(target)) continue;
      bytes += await stat(file).then(
        ({ size }) => size,
        () => 0,
      );
    }
  }
  return bytes;
}
