import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../test/free-port.ts';

const main = join(import.meta.dirname, '../start.js');
/** Gives a program a terminal. On other systems its options are different. */
const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

let folder: string;
let url: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-serve-'));
  url = `http://127.0.0.1:${await freePort()}`;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function start(command: string, argv: readonly string[]): ChildProcessWithoutNullStreams {
  const { PATH } = process.env;
  const port = new URL(url).port;
  const env = { PATH, PORT: port, BASE_URL: url, DATA_DIR: folder, WORKER: 'off' };
  return spawn(command, argv, { env });
}

/** What it has written to standard output when it serves. */
async function untilItServes({ stdout }: ChildProcessWithoutNullStreams): Promise<string> {
  let text = '';
  for await (const piece of stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += piece;
    if (/(?:Open |"listening")[^\n]*\n/.test(text)) return text;
  }
  throw new Error(`it ended: ${text}`);
}

it.runIf(hasScript)('serve prints one line on a terminal, with the address to open', async () => {
  const child = start('script', ['-qec', `'${process.execPath}' '${main}' serve`, '/dev/null']);
  const text = await untilItServes(child);
  expect(text.replaceAll('\r', '')).toBe(`Podstead is ready. Open ${url}\n`);
  const ended = once(child, 'exit');
  child.stdout.resume();
  // Ctrl-C
  child.stdin.write('\u0003');
  await ended;
});

// CLI-9
it('serve prints JSON where the output is no terminal', async () => {
  const child = start(process.execPath, [main, 'serve']);
  expect(JSON.parse(await untilItServes(child))).toEqual({
    event: 'listening',
    ...{ url, baseUrl: url },
  });
  const ended = once(child, 'exit');
  child.kill();
  await ended;
});
