import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beforeCommit } from '../../../../test/before-commit.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { importPlatformFile } from '../../audience/analytics/index.ts';
import { attachExternalAudio } from '../../publishing/audio/index.ts';
import { createEpisode, deleteEpisode, updateEpisode } from '../../publishing/episodes/index.ts';
import { type Podcast, updatePodcast } from '../../publishing/podcasts/index.ts';
import type { User } from '../accounts/index.ts';
import { transact } from '../context.ts';
import { countTexts, mergeTextSums } from './merge-text-sums.job.ts';
import { queueTextCounts, sumTexts } from './storage.sql.ts';

const isOnServer = process.env['TEST_DATABASE'] === 'postgres';

let test: TestContext;
let user: User;
let podcast: Podcast;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  user = await makeUser(test.ctx, 'studio');
  podcast = await makePodcast(test.ctx, { owner: user });
});

const sum = async () => (await sumTexts(test.ctx.db, podcast.id))?.podcastBytes ?? 0;
const query = (text: string) => test.database.pool.query(text, [podcast.id]);

/** How many bytes more the texts of the podcast have afterwards. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = await sum();
  await work();
  return (await sum()) - before;
}

const guid = 'g'.repeat(2_000);
const enclosureUrl = `https://cdn.example/${'e'.repeat(4_000)}.mp3`;
const source = { key: guid, guid, enclosureUrl, guidSha256: null, enclosureSha256: null };

async function addImported(): Promise<string> {
  const episode = { podcastId: podcast.id, slug: 'one', title: 'One', guid, source };
  const { id } = await createEpisode(test.ctx, { ...episode, onTakenSlug: 'number' });
  return id;
}

// LIM-19
describe('the texts of a show', () => {
  it('the texts of a show include what an imported episode was called at its origin, and where its audio is', async () => {
    const added = await growth(async () => {
      const audio = { url: enclosureUrl, declaredType: null, sizeBytes: null, durationMs: null };
      await attachExternalAudio(test.ctx, await addImported(), audio);
    });
    // The GUID, the key and the source's GUID, the first two also in an index; two URLs.
    expect(added).toBeGreaterThan(5 * 2_000 + 2 * 4_000);
  });

  it('the texts of a show include all that a show and an episode say, and where a picture comes from', async () => {
    const { id } = await makeEpisode(test.ctx, podcast);
    const itunesTitle = 't'.repeat(500);
    expect(await growth(() => updateEpisode(test.ctx, id, { itunesTitle }))).toBe(500);
    const pageText = `<p>${'p'.repeat(9_000)}</p>`;
    const added = await growth(() => updatePodcast(test.ctx, podcast.id, { pageText }));
    expect(added).toBe(pageText.length);
    const picture = () =>
      query(`insert into images (id, podcast_id, content_type, width, height, size_bytes, sha256,
          source_url, created_at)
        values (gen_random_uuid(), $1, 'image/png', 1, 1, 70, 'a', repeat('u', 1000), now())`);
    expect(await growth(picture)).toBe(500 + 2 * 1_000);
  });

  it('the texts of a show keep those of deleted episodes, however often one is imported and deleted', async () => {
    const id = await addImported();
    const [kept, change] = [200 + 2 * guid.length, 200];
    const before = (await sum()) - (await growth(() => deleteEpisode(test.ctx, id)));
    const deleted = await growth(async () => deleteEpisode(test.ctx, await addImported()));
    expect(deleted).toBe(kept + change);
    expect(before).toBeGreaterThan(deleted);
    // An import with --overwrite brings the first one back: what it was called is deleted, its change stays.
    const purge = () => query('delete from deleted_episodes where podcast_id = $1');
    expect(await growth(purge)).toBe(-2 * kept);
  });

  it('the texts of a show include the figures of platforms, until others replace them', async () => {
    const importTitles = (title: string) => {
      const lines = ['Episode GUID,Episode Title,Release Date,Plays', `x,${title},2026-03-01,5`];
      async function* file() {
        yield Buffer.from(lines.join('\n'));
      }
      const input = { podcastId: podcast.id, source: 'apple', file: file() } as const;
      return importPlatformFile(test.ctx, input);
    };
    expect(await growth(() => importTitles('a'.repeat(400)))).toBeGreaterThan(500);
    expect(await growth(() => importTitles('a'.repeat(300)))).toBe(-100);
  });
});

describe('texts that are counted anew', () => {
  /** The texts as a database has them whose rows were written before they counted. */
  async function miscount(): Promise<number> {
    const right = await sum();
    await query(`update podcast_texts set bytes = bytes - 10000, made_by = null
      where ctid = (select min(ctid) from podcast_texts where podcast_id = $1)`);
    await queueTextCounts(test.ctx.db);
    return right;
  }

  it('texts that are counted anew are those of the rows, once', async () => {
    await deleteEpisode(test.ctx, await addImported());
    await addImported();
    const right = await miscount();
    expect(await sum()).toBe(right - 10_000);
    await countTexts(test.ctx);
    expect(await sum()).toBe(right);
    await mergeTextSums(test.ctx);
    await countTexts(test.ctx);
    expect(await sum()).toBe(right);
    const { rows } = await test.database.pool.query('select from texts_to_count');
    expect(rows).toEqual([]);
  });

  it('texts that are counted anew are those of each show, although the first one fails', async () => {
    await makePodcast(test.ctx);
    await queueTextCounts(test.ctx.db);
    const { pool } = test.database;
    const waiting = 'select podcast_id as id from texts_to_count order by podcast_id';
    const [first] = (await pool.query(waiting)).rows;
    await pool.query(`create function fail() returns trigger language plpgsql as
      $$ begin raise 'no count of this'; end $$`);
    await pool.query(`create trigger fails before delete on texts_to_count for each row
      when (old.podcast_id = '${first.id}') execute function fail()`);
    await countTexts(test.ctx);
    expect((await pool.query(waiting)).rows).toEqual([first]);
    await pool.query('drop function fail cascade');
    await countTexts(test.ctx);
    expect((await pool.query(waiting)).rows).toEqual([]);
  });

  // The embedded database has one transaction at a time.
  it.runIf(isOnServer)(
    'texts that are counted anew include a change that was not committed yet',
    async () => {
      const { id } = await makeEpisode(test.ctx, podcast);
      const right = await miscount();
      const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const changing = transact(test.ctx, async (tx) => {
        await updateEpisode(tx, id, { subtitle: 's'.repeat(50) });
        written.resolve();
        await end.promise;
      });
      await written.promise;
      await countTexts(test.ctx);
      end.resolve();
      await changing;
      expect(await sum()).toBe(right + 50);
    },
  );

  // The commit makes the other transaction fail and begin again.
  it.runIf(isOnServer)(
    'texts that are counted anew are not counted twice if they are merged at the same moment',
    async () => {
      await makeEpisode(test.ctx, podcast);
      const right = await miscount();
      const merging = [
        'delete from podcast_texts where podcast_id = $1',
        'insert into podcast_texts values ($1, 7, null)',
      ];
      await beforeCommit(test, podcast.id, merging, () => countTexts(test.ctx));
      expect(await sum()).toBe(right);
    },
  );
});
