import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTestContext } from '../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../test/make.ts';
import { attachTone } from '../domain/publishing/audio/index.ts';
import { createBackUpJob } from './back-up.job.ts';

type Call = (...values: unknown[]) => unknown;

/** The names of the file system's functions that this process calls for what is in the folder. */
function watchFolder(folder: string): readonly string[] {
  const called: string[] = [];
  for (const module of [fs, fs.promises] as object[] as Record<string, Call>[]) {
    for (const [name, call] of Object.entries(module)) {
      if (typeof call !== 'function' || !/^[a-z]/.test(name)) continue;
      const watched: Call = (...values) => {
        if (values.some((value) => String(value).startsWith(folder))) called.push(name);
        return call(...values);
      };
      module[name] = Object.assign(watched, call);
      onTestFinished(() => {
        module[name] = call;
        syncBuiltinESMExports();
      });
    }
  }
  syncBuiltinESMExports();
  return called;
}

// BACKUP-17
it('no thread of this process ever waits for the folder of BACKUP_TO', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'podstead-back-up-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const place = join(folder, 'backups');
  await using app = await createTestContext({ BACKUP_TO: place, BACKUP_KEEP: '1d' });
  await attachTone(app.ctx, (await makeEpisode(app.ctx, await makePodcast(app.ctx))).id, 1);
  const job = createBackUpJob(app);
  if (job === undefined) expect.unreachable();
  const info = vi.spyOn(app.log, 'info');
  const called = watchFolder(place);
  for (const days of [0, 1]) {
    app.clock.set(new Date(Date.now() + days * 86_400_000));
    await job.run(app.ctx, {}, { signal: new AbortController().signal, enqueue: async () => {} });
  }
  const said = info.mock.calls.map(([, text]) => text);
  expect(said).toEqual(['made a backup', 'made a backup', 'removed old backups']);
  expect(called).toEqual([]);
  fs.statSync(place);
  expect(called).toEqual(['statSync']);
});
