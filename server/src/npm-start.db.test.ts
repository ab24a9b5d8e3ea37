import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from '../test/free-port.ts';
import { patience } from '../test/patience.ts';
import { isOnServer } from '../test/which-database.ts';
import { writeEmptyDatabase } from '../test/write-empty-database.ts';

const root = join(import.meta.dirname, '../..');

// On the embedded database: PostgreSQL would make no difference.
const test = it.skipIf(isOnServer);

// CLI-1
test('npm run podstead runs a command in the root of the repository', async () => {
  const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, PORT: '1234' };
  const argv = ['run', '-s', 'podstead', '--', 'config'];
  const { stdout, stderr } = await promisify(execFile)('npm', argv, { cwd: root, env });
  expect(JSON.parse(stdout)).toMatchObject({ PORT: { value: '1234' } });
  expect(stderr).toBe('');
});

// CLI-8, CLI-10
test('a signal to npm start ends the server', async () => {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'podstead-npm-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  await writeEmptyDatabase(join(folder, 'data'));
  const port = await freePort();
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: {
      // The version of Node that runs this test.
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: folder,
      ...{ PORT: String(port), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', WORKER: 'off' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(npm, 'exit');
  opened.defer(async () => {
    npm.kill('SIGKILL');
    await ended;
  });
  const alive = () =>
    fetch(`http://localhost:${port}/healthz`).then(
      ({ status }) => status,
      () => 'gone',
    );
  for await (const line of createInterface(npm.stdout)) {
    if (line.includes('"listening"')) break;
  }
  expect(await alive()).toBe(200);
  npm.kill('SIGTERM');
  await expect.poll(alive, patience).toBe('gone');
  // The server still closes its database, in the folder that is removed next.
  await ended;
});
