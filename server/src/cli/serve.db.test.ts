import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../../test/free-port.ts';
import { createTestDatabase } from '../../test/test-database.ts';

const main = join(import.meta.dirname, '../start.js');
/** Gives a program a terminal. On other systems its options are different. */
const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

// To a pipe it writes JSON: main.db.test.ts.
it.runIf(hasScript)('serve prints one line on a terminal, with the address to open', async () => {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'podstead-serve-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const database = opened.use(await createTestDatabase());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const command = `'${process.execPath}' '${main}' serve`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: {
      PATH: process.env['PATH'],
      ...{ PORT: String(port), BASE_URL: url, DATA_DIR: folder, WORKER: 'off' },
      ...(database.url && { DATABASE_URL: database.url, SECRET: 'x'.repeat(32) }),
    },
  });
  const ended = once(child, 'exit');
  opened.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let text = '';
  for await (const piece of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += piece;
    if (text.includes('\n')) break;
  }
  expect(text.replaceAll('\r', '')).toBe(`Podstead is ready. Open ${url}\n`);
  child.stdout.resume();
  // Ctrl-C
  child.stdin.write('\u0003');
  await ended;
});
