import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

const main = join(import.meta.dirname, '../src/start.js');

export interface Serving extends AsyncDisposable {
  /** Also its BASE_URL. */
  readonly url: string;
}

/** Starts `serve` in another process, without background work. Disposing kills it. */
export async function startServing(settings: Readonly<Record<string, string>>): Promise<Serving> {
  const port = await freePort();
  const child = spawn(process.execPath, [main, 'serve'], {
    env: {
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      WORKER: 'off',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const line = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const early = ended.then(() => Promise.reject(new Error('serve ended before it listened')));
  const [text] = await Promise.race([line, early]);
  early.catch(() => undefined);
  return {
    url: (JSON.parse(text) as { url: string }).url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
