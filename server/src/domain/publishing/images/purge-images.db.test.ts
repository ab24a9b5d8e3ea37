import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beforeCommit } from '../../../../test/before-commit.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { explain } from '../../../../test/explain.ts';
import { pictureBytes } from '../../../../test/hosts/podcast-host.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { isOnServer } from '../../../../test/which-database.ts';
import { newId } from '../../../lib/uuid.ts';
import type { User } from '../../foundation/accounts/index.ts';
import { transact } from '../../foundation/context.ts';
import { readStorage } from '../../foundation/storage/index.ts';
import { sweepFiles } from '../../service/files/index.ts';
import { deleteEpisode } from '../episodes/index.ts';
import { addPerson, findOrAddPerson, setCredits, setPeople } from '../people/index.ts';
import { addMember, getPodcast, type Podcast } from '../podcasts/index.ts';
import { appendToUpload, createUpload, openUpload, useEpisodeArtwork } from '../uploads/index.ts';
import {
  attachImage,
  attachStoredImage,
  imageKey,
  reuseImageBySource,
  setEpisodeArtwork,
  setHeaderImage,
  setPodcastArtwork,
  storeImage,
} from './index.ts';
import { purgeImages } from './purge-images.job.ts';

const hourMs = 3_600_000;
const databases = useOneDatabase();
let test: TestContext;
let owner: User;
let show: Podcast;
beforeEach(async () => {
  test = await createTestContext({}, { databases });
  owner = await makeUser(test.ctx, 'free');
  show = await makePodcast(test.ctx, { owner });
});
afterEach(() => test[Symbol.asyncDispose]());

async function rows<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
  return (await test.database.pool.query<T>(text, values)).rows;
}

async function attach(color: string, sourceUrl?: string): Promise<string> {
  const bytes = await pictureBytes(color);
  return (await attachImage(test.ctx, { podcastId: show.id, bytes, sourceUrl })).id;
}

const kept = async () =>
  (await rows<{ id: string }>('select id from images order by id')).map(({ id }) => id);

const usedBytes = async () =>
  (await readStorage(test.ctx, { id: owner.accountId, plan: 'free' })).imageBytes;

const sizeOf = async (id: string) =>
  Number(
    (
      await rows<{ size: string }>('select size_bytes::text as size from images where id = $1', [
        id,
      ])
    )[0]?.size,
  );

async function purgeAfter(hours: number): Promise<void> {
  test.clock.advance(hours * hourMs);
  await purgeImages(test.ctx);
}

describe('the purge of pictures', () => {
  // ACCT-26
  it('a replaced picture leaves the storage of its account two days after it was added', async () => {
    const episode = await makeEpisode(test.ctx, show);
    const [first, second] = [await attach('#100000'), await attach('#200000')];
    await setEpisodeArtwork(test.ctx, episode.id, first);
    await setEpisodeArtwork(test.ctx, episode.id, second);
    await purgeAfter(47);
    expect(await usedBytes()).toBe((await sizeOf(first)) + (await sizeOf(second)));
    await purgeAfter(2);
    expect(await kept()).toEqual([second]);
    expect(await usedBytes()).toBe(await sizeOf(second));
    await deleteEpisode(test.ctx, episode.id);
    await purgeAfter(1);
    expect(await kept()).toEqual([]);
    expect(await usedBytes()).toBe(0);
  });

  it('a picture stays as long as a show, an episode or a person names it', async () => {
    const columns = await rows<{ column: string }>(`
      select conrelid::regclass || '.' || attname as column from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
      where confrelid = 'images'::regclass order by 1`);
    const names: Record<string, (id: string) => Promise<unknown>> = {
      'episodes.artwork_id': async (id) =>
        setEpisodeArtwork(test.ctx, (await makeEpisode(test.ctx, show)).id, id),
      'people.photo_id': (id) =>
        addPerson(test.ctx, { podcastId: show.id, name: 'Ada', photoId: id }),
      'podcasts.artwork_id': (id) => setPodcastArtwork(test.ctx, show.id, id),
      'podcasts.header_image_id': (id) => setHeaderImage(test.ctx, show.id, id),
    };
    expect(columns.map(({ column }) => column)).toEqual(Object.keys(names));
    const named: string[] = [];
    for (const [n, name] of Object.values(names).entries()) {
      const id = await attach(`#0000${n}0`);
      await name(id);
      named.push(id);
    }
    await attach('#ffffff');
    await purgeAfter(49);
    expect(await kept()).toEqual(named.toSorted());
  });

  it('a picture that is added again stays for two more days, also if an import finds it by its address', async () => {
    const source = 'https://example.com/cover.png';
    const [added, found, named] = [
      await attach('#100000'),
      await attach('#200000', source),
      await attach('#300000', `${source}?named`),
    ];
    await setPodcastArtwork(test.ctx, show.id, named);
    test.clock.advance(49 * hourMs);
    const createdAt = () => rows('select created_at from images where id = $1', [named]);
    const before = await createdAt();
    expect(await attach('#100000')).toBe(added);
    expect(await reuseImageBySource(test.ctx, show.id, source)).toBe(found);
    expect(await reuseImageBySource(test.ctx, show.id, `${source}?named`)).toBe(named);
    // An import of a long show finds all of its pictures, and writes none of them.
    expect(await createdAt()).toEqual(before);
    await purgeAfter(47);
    expect(await kept()).toEqual([added, found, named].toSorted());
    await purgeAfter(2);
    expect(await kept()).toEqual([named]);
    expect(await reuseImageBySource(test.ctx, show.id, source)).toBeUndefined();
  });

  it('a picture that is purged between its files and its row keeps its files, and counts again', async () => {
    const bytes = await pictureBytes('#100000');
    const id = await attach('#100000');
    test.clock.set(new Date(Date.now() + 49 * hourMs));
    const use = { podcastId: show.id, file: bytes };
    const stored = await storeImage(test.ctx, use);
    await purgeAfter(0);
    expect(await kept()).toEqual([]);
    await transact(test.ctx, async (tx) => {
      const image = await attachStoredImage(tx, stored);
      await setPodcastArtwork(tx, show.id, image.id);
    });
    expect((await getPodcast(test.ctx, show.id)).artworkId).toBe(id);
    expect(await usedBytes()).toBe(await sizeOf(id));
    test.clock.advance(49 * hourMs);
    await sweepFiles(test.ctx);
    expect(await test.ctx.blobs.stat(imageKey(id, 'image/png'))).toBeDefined();
    await purgeAfter(0);
    expect(await kept()).toEqual([id]);
  });

  it('a person whose photo was purged is refused, not saved without it', async () => {
    const photoId = await attach('#100000');
    await purgeAfter(49);
    const ctx = test.contextFor({ kind: 'user', userId: owner.id });
    await expect(setPeople(ctx, show.id, [{ name: 'Ada', photoId }])).rejects.toMatchObject({
      details: [{ field: 'people[0].photo_id' }],
    });
  });

  it('finds pictures by indexes, however many episodes there are', async () => {
    const plan = await test.ctx.db.transaction().execute(async (db) => {
      await sql`set local enable_seqscan = off`.execute(db);
      await sql`set local enable_bitmapscan = off`.execute(db);
      const ctx = { ...test.ctx, db };
      return explain(db, async (explained) => purgeImages({ ...ctx, db: explained }));
    });
    expect(plan).not.toContain('Seq Scan');
    for (const index of ['images_pkey', 'podcasts_by_artwork', 'podcasts_by_header_image'])
      expect(plan).toContain(index);
    for (const index of ['episodes_artwork', 'people_photo']) expect(plan).toContain(index);
  });
});

describe.runIf(isOnServer)('the purge of pictures, while others work', () => {
  it('leaves a picture that is named between its look and its locks', async () => {
    const id = await attach('#100000');
    test.clock.advance(49 * hourMs);
    // The purge has seen that nothing names it, and waits for the sums.
    await beforeCommit(
      test,
      show.id,
      [
        'select from podcast_storage where podcast_id = $1 for update',
        `update podcasts set artwork_id = (select id from images where podcast_id = $1) where id = $1`,
      ],
      () => purgeImages(test.ctx),
    );
    expect(await kept()).toEqual([id]);
    expect((await getPodcast(test.ctx, show.id)).artworkId).toBe(id);
  });

  it('leaves a picture that a transaction names, without waiting for its end', async () => {
    const id = await attach('#100000');
    test.clock.advance(49 * hourMs);
    const other = await test.database.pool.connect();
    await other.query('begin');
    await other.query('update podcasts set artwork_id = $2 where id = $1', [show.id, id]);
    await purgeImages(test.ctx);
    await other.query('commit');
    other.release();
    await purgeImages(test.ctx);
    expect((await getPodcast(test.ctx, show.id)).artworkId).toBe(id);
  });

  it('a verb that adds a picture again waits for the purge that deletes it', async () => {
    const id = await attach('#100000');
    const stored = await storeImage(test.ctx, {
      podcastId: show.id,
      file: await pictureBytes('#100000'),
    });
    await beforeCommit(test, show.id, ['delete from images where podcast_id = $1'], () =>
      transact(test.ctx, async (tx) => {
        await setPodcastArtwork(tx, show.id, (await attachStoredImage(tx, stored)).id);
      }),
    );
    expect((await getPodcast(test.ctx, show.id)).artworkId).toBe(id);
    expect(await usedBytes()).toBe(await sizeOf(id));
  });
});

// ACCT-26
it('a co-host who replaces artwork again and again fills the storage of the owner for two days only', async () => {
  const { id: userId } = await makeUser(test.ctx);
  await addMember(test.ctx, { podcastId: show.id, userId, role: 'cohost' });
  const { id: episodeId } = await makeEpisode(test.ctx, show, { status: 'draft' });
  const person = await findOrAddPerson(test.ctx, { podcastId: show.id, name: 'Cy', userId });
  await setCredits(test.ctx, episodeId, [{ personId: person.id }]);
  const theirs = test.contextFor({ kind: 'user', userId });
  const begin = async (ctx = theirs, sizeBytes = 1_000) => {
    const about = { purpose: 'image', podcastId: show.id, episodeId, filename: 'a.png' } as const;
    const id = newId();
    await createUpload(ctx, { ...about, id, sizeBytes, sha256: undefined });
    return id;
  };
  const used: string[] = [];
  for (const color of ['#100000', '#200000', '#300000']) {
    const picture = await pictureBytes(color);
    const uploadId = await begin(theirs, picture.length);
    {
      await using writing = await openUpload(theirs, uploadId);
      await appendToUpload(theirs, writing, [picture] as unknown as AsyncIterable<Buffer>);
    }
    used.push((await useEpisodeArtwork(theirs, { episodeId, uploadId })).id);
  }
  // As 250 pictures of 20 MB.
  await rows('update images set size_bytes = 2500000000 where id <> $1', [used[2]]);
  await rows("update written_files set written_at = now() - interval '48 hours'");
  const ofOwner = test.contextFor({ kind: 'user', userId: owner.id });
  await expect(begin(ofOwner)).rejects.toMatchObject({ details: [{ reason: 'storage_full' }] });
  await purgeAfter(49);
  expect(await kept()).toEqual([used[2]]);
  await begin(ofOwner);
});
