import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Demo extends AsyncDisposable {
  readonly url: string;
  /** Of the show's owner. */
  readonly email: string;
  readonly password: string;
}

const main = join(import.meta.dirname, '../../../server/src/start.js');

/** `npm run demo` in a process of its own. */
export async function startDemo(): Promise<Demo> {
  const child = spawn(process.execPath, [main, 'demo'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; password: string }>();
  let said = '';
  const read = (piece: Buffer) => {
    said += String(piece);
    const [, password] = /password ([\w-]+)/.exec(said) ?? [];
    const [, url] = /(http:\/\/localhost:\d+)\/app/.exec(said) ?? [];
    if (!said.includes('"event":"listening"')) return;
    if (password !== undefined && url !== undefined) resolve({ url, password });
  };
  // The words for people go to stderr.
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  void ended.then(() => reject(new Error('the demo has ended before it listened')));
  return {
    ...(await promise),
    email: 'demo@example.com',
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}
