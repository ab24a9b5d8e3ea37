import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePipe } from '../../../test/make-pipe.ts';
import { NotAFileError, openRegularFile } from './open-regular-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-open-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, 'content');
  return path;
}

it('opens a file, also by a link', async () => {
  const path = await write('file');
  await symlink(path, join(folder, 'link'));
  for (const name of ['file', 'link']) {
    await using file = await openRegularFile(join(folder, name));
    expect(await file.readFile('utf8')).toBe('content');
  }
  await expect(openRegularFile(join(folder, 'missing'))).rejects.toThrow('ENOENT');
});

it('says what else a path names', async () => {
  const socket = join(folder, 'socket');
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(socket, resolve));
  makePipe(join(folder, 'pipe'));
  await symlink(join(folder, 'pipe'), join(folder, 'link-to-pipe'));
  const refusals = await Promise.all(
    [folder, join(folder, 'pipe'), join(folder, 'link-to-pipe'), '/dev/null', socket].map((path) =>
      openRegularFile(path).catch((error: Error) => error),
    ),
  );
  for (const refusal of refusals) expect(refusal).toBeInstanceOf(NotAFileError);
  const kinds = refusals.map((refusal) => (refusal as Error).message.replace(/^.* but /, ''));
  expect(kinds).toEqual(['a folder.', 'a named pipe.', 'a named pipe.', 'a device.', 'a socket.']);
  server.close();
});

it('openRegularFile does not wait for a named pipe that replaces the file', async () => {
  let refused = 0;
  for (let round = 0; round < 50; round += 1) {
    const path = await write(`file-${round}`);
    const pipe = join(folder, `pipe-${round}`);
    makePipe(pipe);
    // It may be refused before the renaming has ended.
    const opened = openRegularFile(path).then(
      (file) => file.close(),
      () => (refused += 1),
    );
    await rename(pipe, path);
    await opened;
  }
  expect(refused).toBeGreaterThan(0);
});
