import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nginxProgram } from '../../server/test/start-nginx.ts';
import { findFreePort } from '../public/serve-process.ts';
import { makeTempFolder } from '../temp-folder.ts';

export interface Nginx extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** nginx as a single process. `locations` configures its paths. */
export async function startNginx(locations: string, signal: AbortSignal): Promise<Nginx> {
  await using opened = new AsyncDisposableStack();
  const { path: folder } = opened.use(await makeTempFolder());
  const port = await findFreePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration(folder, port, locations));
  const server = spawn(
    nginxProgram ?? 'nginx',
    ['-p', folder, '-e', join(folder, 'error.log'), '-c', file],
    {
      stdio: 'inherit',
      signal,
      killSignal: 'SIGKILL',
    },
  );
  const ended = once(server, 'exit');
  ended.catch(() => undefined);
  opened.defer(async () => {
    server.kill('SIGKILL');
    await ended.catch(() => undefined);
  });
  const url = `http://127.0.0.1:${port}`;
  await untilResponding(url, signal);
  const resources = opened.move();
  const { pid = 0 } = server;
  return { url, pid, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** With `master_process off` there is one process, which runs as the current user. */
function configuration(folder: string, port: number, locations: string): string {
  return `daemon off;
    master_process off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    events { worker_connections 1024; }
    http {
      access_log off;
      sendfile on;
      tcp_nopush on;
      keepalive_requests 100000000;
      types { audio/mpeg mp3; }
      client_body_temp_path ${folder}/body;
      proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi;
      scgi_temp_path ${folder}/scgi;
      server {
        listen 127.0.0.1:${port};
        ${locations}
      }
    }`;
}

async function untilResponding(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const response = await fetch(url, { signal }).catch(() => undefined);
    await response?.body?.cancel();
    if (response !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
