import { describe, expect, it } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { deleteEpisode } from '../../src/domain/publishing/episodes/index.ts';
import { createBackup } from '../../src/domain/service/backups/index.ts';
import { sweepFiles } from '../../src/domain/service/files/index.ts';
import { deletePodcast } from '../../src/domain/service/shows/index.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { openFolder, openInstallation, openRepository, restore } from '../use-backups.ts';
import { isOnServer } from '../which-database.ts';

// BACKUP-2, BACKUP-4
describe.runIf(isOnServer)('a backup while the service goes on', () => {
  it('restores all audio, whatever changes between its rows and its files', async () => {
    const app = await openInstallation();
    const repository = await openRepository(await openFolder());
    const show = await makePodcast(app.ctx, { slug: 'kept' });
    const other = await makePodcast(app.ctx, { slug: 'other' });
    const episodes = [];
    for (const podcast of [show, show, show, other]) {
      const episode = await makeEpisode(app.ctx, podcast, { status: 'published' });
      await attachTone(app.ctx, episode.id, 1);
      episodes.push(episode);
    }
    const [, replaced, deleted] = episodes;
    const { snapshot, missing } = await createBackup(app.ctx, repository, async (tables) => {
      const rows = await app.database.openSnapshot(tables);
      await attachTone(app.ctx, replaced?.id ?? '', 2);
      await deleteEpisode(app.ctx, deleted?.id ?? '');
      await deletePodcast(app.ctx, other.id);
      // Background work continues during the backup. All of these files are older than a day.
      await app.database.pool.query(
        `update unreferenced_files set since = now() + interval '2 days'`,
      );
      app.clock.set(new Date(Date.now() + 49 * 3_600_000));
      await sweepFiles(app.ctx);
      return rows;
    });
    expect(missing).toEqual([]);

    const copy = await openInstallation();
    expect((await restore(copy, repository, snapshot)).differences).toEqual([]);
    for (const { id, slug } of episodes) {
      const response = await copy.request({ url: `/media/${id}/${slug}.mp3` });
      expect(response.statusCode, slug).toBe(200);
    }
  });
});
