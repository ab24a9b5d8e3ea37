import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import { openDiskBlobStore } from '../../../../platform/blob-store/disk-blob-store.ts';
import { DiskReserveError } from '../../../../platform/blob-store/disk-room.ts';
import { setPlan, type User } from '../../../foundation/accounts/index.ts';
import type { Context } from '../../../foundation/context.ts';
import { deleteEpisode } from '../../../publishing/episodes/index.ts';
import { addMember, type Podcast, removeMember } from '../../../publishing/podcasts/index.ts';
import {
  checkPlatformFile,
  importPlatformFile,
  type PlatformSource,
  readPlatformImport,
} from '../index.ts';

let test: TestContext;
let owner: User;
let podcast: Podcast;

beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await makeUser(test.ctx, 'studio');
  podcast = await makePodcast(test.ctx, { owner, title: 'Night Signals', timezone: 'Asia/Tokyo' });
});

const as = ({ id }: User) => test.contextFor({ kind: 'user', userId: id });
async function* fileOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
const importText = (text: string, source: PlatformSource = 'apple', ctx: Context = test.ctx) =>
  importPlatformFile(ctx, { podcastId: podcast.id, source, file: fileOf(text) });
const read = (
  query: Partial<Parameters<typeof readPlatformImport>[1]> = {},
  ctx: Context = test.ctx,
) =>
  readPlatformImport(ctx, {
    podcastId: podcast.id,
    source: 'apple',
    after: undefined,
    limit: 100,
    ...query,
  });
const rows = (...lines: string[]) =>
  ['Episode GUID,Episode Title,Release Date,Plays', ...lines].join('\n');

describe('an import', () => {
  it('an import matches episodes by GUID, title and date', async () => {
    const publishedAt = new Date('2026-03-01T20:00:00Z');
    const byGuid = await makeEpisode(test.ctx, podcast, { title: 'One', guid: 'tag:one' });
    const byOwnId = await makeEpisode(test.ctx, podcast, { title: 'Two' });
    const byTitle = await makeEpisode(test.ctx, podcast, { title: 'Third Wind' });
    const byDay = await makeEpisode(test.ctx, podcast, { title: 'Four', publishedAt });
    await makeEpisode(test.ctx, podcast, { title: 'A draft', status: 'draft' });
    const report = await importText(
      rows(
        'tag:one,Another title,,1',
        `${byOwnId.id},Renamed,,2`,
        ',third wind!,,3',
        // In the time zone of the show, it is the next day.
        ',Renamed too,2026-03-02,4',
        ',A draft,,5',
      ),
    );
    expect(report).toEqual({
      podcastId: podcast.id,
      source: 'apple',
      importedAt: test.clock.now(),
      rows: 5,
      matched: 4,
      unmatched: ['A draft'],
    });
    const { episodes, ...show } = await read();
    expect(show).toEqual({
      podcastId: podcast.id,
      source: 'apple',
      importedAt: test.clock.now(),
      asOf: null,
      showMetrics: { plays: 15 },
      includedInPlan: true,
      mayImport: true,
      next: undefined,
    });
    const ids = [byGuid.id, byOwnId.id, byTitle.id, byDay.id, null];
    expect(episodes.map(({ episodeId }) => episodeId)).toEqual(ids);
    expect(episodes[1]).toEqual({ episodeId: byOwnId.id, title: 'Renamed', metrics: { plays: 2 } });
  });

  // Accepted before; PostgreSQL knows none of these, or reads the sign the other way round.
  it.each([
    ['US/Pacific-New', '2026-03-01T07:00:00Z', '2026-02-28'],
    ['+0530', '2026-03-01T20:00:00Z', '2026-03-02'],
    ['+05:30', '2026-03-01T20:00:00Z', '2026-03-02'],
  ])('an import matches dates of a show in the time zone %s', async (timezone, at, day) => {
    await test.ctx.db
      .updateTable('podcasts')
      .set({ timezone })
      .where('id', '=', podcast.id)
      .execute();
    await makeEpisode(test.ctx, podcast, { title: 'One', publishedAt: new Date(at) });
    expect(await importText(rows(`,Renamed,${day},4`))).toMatchObject({ matched: 1 });
  });

  it('replaces the last one of its source, and only that', async () => {
    await importText(rows(',One,,1', ',Two,,2'));
    await importText('Date,Plays,Streams\n2026-03-01,5,4\n', 'spotify');
    await importText('Date,Followers,Net Followers\n20260305,9,9\n');
    expect(await read()).toMatchObject({
      asOf: '2026-03-05',
      showMetrics: { followers: 9 },
      episodes: [],
    });
    expect(await read({ source: 'spotify' })).toMatchObject({
      asOf: '2026-03-01',
      showMetrics: { plays: 5, streams: 4 },
    });
    const { rows: left } = await test.database.pool.query(
      `select 1 from platform_episodes where import_id in
        (select id from platform_imports where podcast_id = $1)`,
      [podcast.id],
    );
    expect(left).toEqual([]);
  });

  it('an import takes no more of the disk than is free beside its reserve', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podstead-room-'));
    const mb = 1024 * 1024;
    const room = { spareBytes: 256 * mb, readFreeBytes: async () => 280 * mb };
    const blobs = await openDiskBlobStore(folder, { room });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: arriving, resolve: noteArrival } = Promise.withResolvers<void>();
    const file = (async function* () {
      yield Buffer.from(rows());
      noteArrival();
      await released;
    })();
    const about = { podcastId: podcast.id, source: 'apple' } as const;
    const first = importPlatformFile({ ...as(owner), blobs }, { ...about, file });
    await arriving;
    const second = importPlatformFile({ ...test.ctx, blobs }, { ...about, file: fileOf(rows()) });
    await expect(second).rejects.toThrow(DiskReserveError);
    release();
    await first.catch(() => {});
    await importPlatformFile({ ...test.ctx, blobs }, { ...about, file: fileOf(rows(',A,,1')) });
    expect(await readdir(blobs.scratchDir)).toEqual([]);
    await blobs[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it('an import is refused while two others of the same user arrive', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const about = { podcastId: podcast.id, source: 'apple' } as const;
    const begin = async () => {
      const { promise: arriving, resolve: noteArrival } = Promise.withResolvers<void>();
      const file = (async function* () {
        noteArrival();
        await released;
        yield Buffer.from(rows(',A,,1'));
      })();
      const ended = importPlatformFile(as(owner), { ...about, file });
      await Promise.race([arriving, ended]);
      return { ended };
    };
    const both = await Promise.all([begin(), begin()]);
    await expect(importText(rows(',A,,1'), 'apple', as(owner))).rejects.toMatchObject({
      kind: 'rate_limited',
    });
    await importText(rows(',A,,1'));
    release();
    for (const { ended } of both) await ended;
    await importText(rows(',A,,1'), 'apple', as(owner));
  });

  it('an import matches the episodes of a show that has more than one page of them', async () => {
    await test.database.pool.query(
      `insert into episodes (id, podcast_id, slug, media_name, title, description, episode_number, status,
         status_changed_at, created_at, updated_at, published_at)
       select gen_random_uuid(), $1, 'e-' || n, 'e-' || n, 'Part ' || n, '', n, 'published',
         now(), now(), now(), timestamptz '2026-01-01' - (n / 7) * interval '1 hour'
       from generate_series(1, 2500) n`,
      [podcast.id],
    );
    const lines = Array.from({ length: 2_500 }, (_, at) => `,Part ${at + 1},,1`);
    const imported = await importText(rows(...lines));
    expect(imported).toMatchObject({ rows: 2_500, matched: 2_500, unmatched: [] });
  });

  it.each([
    ['import', importPlatformFile],
    ['check', checkPlatformFile],
  ])('the %s reads all episodes in its turn, outside a transaction', async (_name, verb) => {
    await importText(rows(',One,,1'));
    const steps: string[] = [];
    const inTurn = async <R>(read: () => Promise<R>): Promise<R> => {
      // Nobody waits for the show while the import waits and reads.
      await test.database.pool.query(
        'select from podcasts where id = $1 for no key update nowait',
        [podcast.id],
      );
      steps.push('begun');
      return await read().finally(() => steps.push('ended'));
    };
    const about = { podcastId: podcast.id, source: 'apple', inTurn } as const;
    await verb(as(owner), { ...about, file: fileOf(rows(',One,,1')) });
    expect(steps).toEqual(['begun', 'ended']);
  });

  it('an import that waits for its turn has its share until it has ended', async () => {
    const { promise: turn, resolve: begin } = Promise.withResolvers<void>();
    const { promise: waiting, resolve: noteWaiting } = Promise.withResolvers<void>();
    let count = 0;
    const inTurn = async <R>(read: () => Promise<R>): Promise<R> => {
      count += 1;
      if (count === 2) noteWaiting();
      await turn;
      return await read();
    };
    const about = { podcastId: podcast.id, source: 'apple', inTurn } as const;
    const both = [1, 2].map(() =>
      importPlatformFile(as(owner), { ...about, file: fileOf(rows(',A,,1')) }),
    );
    await waiting;
    const third = importText(rows(',A,,1'), 'apple', as(owner));
    await expect(third).rejects.toMatchObject({ kind: 'rate_limited' });
    begin();
    await Promise.all(both);
    await importText(rows(',A,,1'), 'apple', as(owner));
  });

  it('an import whose sender leaves the show while it is matched changes nothing', async () => {
    const admin = await makeUser(test.ctx);
    const member = { podcastId: podcast.id, userId: admin.id };
    await addMember(test.ctx, { ...member, role: 'admin' });
    const inTurn = async <R>(read: () => Promise<R>): Promise<R> => {
      const found = await read();
      await removeMember(as(owner), member);
      return found;
    };
    const about = { podcastId: podcast.id, source: 'apple', inTurn } as const;
    const left = importPlatformFile(as(admin), { ...about, file: fileOf(rows(',One,,1')) });
    await expect(left).rejects.toMatchObject({ kind: 'not_found' });
    expect(await read()).toMatchObject({ importedAt: null });
  });

  it('an import of an episode that is deleted while it is matched has no episode for it', async () => {
    const { id } = await makeEpisode(test.ctx, podcast, { title: 'One' });
    const inTurn = async <R>(read: () => Promise<R>): Promise<R> => {
      const found = await read();
      await deleteEpisode(test.ctx, id);
      return found;
    };
    const about = { podcastId: podcast.id, source: 'apple', inTurn } as const;
    await importPlatformFile(as(owner), { ...about, file: fileOf(rows(',One,,1')) });
    expect((await read()).episodes).toEqual([
      { episodeId: null, title: 'One', metrics: { plays: 1 } },
    ]);
  });

  it('changes nothing if the file is refused', async () => {
    await importText(rows(',One,,1'));
    const before = await read();
    for (const text of ['', 'a,b\n1,2\n', rows(',One,,12K'), 'Show Name,Plays\nA,1\nB,2\n']) {
      await expect(importText(text)).rejects.toMatchObject({ kind: 'invalid' });
    }
    expect(await read()).toEqual(before);
  });

  it('an import is stored as a whole if two run at once: one of them stays', async () => {
    const many = (name: string) =>
      rows(...Array.from({ length: 2_500 }, (_, at) => `,${name} ${at},,1`));
    const both = await Promise.all([importText(many('A')), importText(many('B'))]);
    expect(both.map(({ rows }) => rows)).toEqual([2_500, 2_500]);
    const titles: string[] = [];
    let after: Parameters<typeof readPlatformImport>[1]['after'];
    do {
      const { episodes, next } = await read({ after, limit: 1_000 });
      titles.push(...episodes.map(({ title }) => title));
      after = next;
    } while (after !== undefined);
    expect(titles).toHaveLength(2_500);
    expect(new Set(titles.map((title) => title.slice(0, 1))).size).toBe(1);
  });

  it('an import takes the show of that name from a file of several', async () => {
    await importText('Show Name,Followers,Plays\nAnother,1,1\nNIGHT signals,20,200\n');
    expect((await read()).showMetrics).toEqual({ plays: 200, followers: 20 });
    const foreign = 'Show Name,Followers,Plays\nAnother,1,1\nA third,2,2\n';
    await expect(importText(foreign)).rejects.toThrow('Found: "Another", "A third".');
  });

  it('refuses a file of another show, unless it has an episode of this one', async () => {
    const text = 'Show Name,Episode Title,Plays\nAnother,First light,1\n';
    await expect(importText(text)).rejects.toThrow(
      'The file is for the show "Another", not for "Night Signals".',
    );
    await makeEpisode(test.ctx, podcast, { title: 'First Light' });
    expect(await importText(text)).toMatchObject({ matched: 1, unmatched: [] });
  });

  it('an import counts an episode that was deleted later as not found', async () => {
    const episode = await makeEpisode(test.ctx, podcast, { title: 'One' });
    await importText(rows(',One,,1'));
    await deleteEpisode(test.ctx, episode.id);
    expect((await read()).episodes).toEqual([
      { episodeId: null, title: 'One', metrics: { plays: 1 } },
    ]);
  });

  it('an import ends with its podcast', async () => {
    await importText(rows(',One,,1'));
    await test.database.pool.query('delete from podcasts where id = $1', [podcast.id]);
    const { rows: left } = await test.database.pool.query(
      'select 1 from platform_imports where podcast_id = $1',
      [podcast.id],
    );
    expect(left).toEqual([]);
  });
});

describe('the permission to import figures', () => {
  it('importing needs the capability, and a plan that includes it', async () => {
    const text = rows(',One,,1');
    const analyst = await makeUser(test.ctx);
    const admin = await makeUser(test.ctx);
    await addMember(test.ctx, { podcastId: podcast.id, userId: analyst.id, role: 'analyst' });
    await addMember(test.ctx, { podcastId: podcast.id, userId: admin.id, role: 'admin' });
    expect(await importText(text, 'apple', as(owner))).toMatchObject({ rows: 1 });
    expect(await importText(text, 'apple', as(admin))).toMatchObject({ rows: 1 });
    await expect(importText(text, 'apple', as(analyst))).rejects.toMatchObject({
      kind: 'forbidden',
    });
    const stranger = await makeUser(test.ctx);
    await expect(importText(text, 'apple', as(stranger))).rejects.toMatchObject({
      kind: 'not_found',
    });
    await setPlan(test.ctx, { email: owner.email, plan: 'creator', planState: 'active' });
    await expect(importText(text, 'apple', as(owner))).rejects.toMatchObject({
      kind: 'plan_upgrade_required',
    });
    // A change of plan takes nothing away from those who are signed in.
    expect(await read({}, as(analyst))).toMatchObject({
      showMetrics: { plays: 1 },
      includedInPlan: false,
      mayImport: false,
    });
  });

  it('the permission to import is checked before the file is read', async () => {
    let isRead = false;
    const file = (async function* () {
      isRead = true;
      yield Buffer.from('');
    })();
    const stranger = as(await makeUser(test.ctx));
    const refused = importPlatformFile(stranger, { podcastId: podcast.id, source: 'apple', file });
    await expect(refused).rejects.toMatchObject({ kind: 'not_found' });
    expect(isRead).toBe(false);
  });

  it.each([
    ['import', importPlatformFile],
    ['check', checkPlatformFile],
  ])('the permission to %s is checked again after the file is read', async (_name, verb) => {
    await importText(rows(',One,,1'));
    const before = await read();
    const admin = await makeUser(test.ctx);
    const member = { podcastId: podcast.id, userId: admin.id };
    await addMember(test.ctx, { ...member, role: 'admin' });
    const sending = (change: () => Promise<unknown>) => {
      const file = (async function* () {
        yield Buffer.from(rows(',Two,,2'));
        await change();
      })();
      return verb(as(admin), { podcastId: podcast.id, source: 'apple', file });
    };
    const { email } = owner;
    const toCreator = () => setPlan(test.ctx, { email, plan: 'creator', planState: 'active' });
    await expect(sending(toCreator)).rejects.toMatchObject({ kind: 'plan_upgrade_required' });
    await setPlan(test.ctx, { email, plan: 'studio', planState: 'active' });
    const left = sending(() => removeMember(as(owner), member));
    await expect(left).rejects.toMatchObject({ kind: 'not_found' });
    expect(await read()).toEqual(before);
  });
});

describe('pages', () => {
  it('pages walk the episodes in the order of the file, within one import', async () => {
    await importText(rows(',C,,1', ',A,,2', ',B,,3'));
    const first = await read({ limit: 2 });
    expect(first.episodes.map(({ title }) => title)).toEqual(['C', 'A']);
    const second = await read({ limit: 2, after: first.next });
    expect(second.episodes.map(({ title }) => title)).toEqual(['B']);
    expect(second.next).toBeUndefined();
    await importText(rows(',C,,1', ',A,,2', ',B,,3'));
    await expect(read({ after: first.next })).rejects.toMatchObject({
      kind: 'invalid',
      details: [{ field: 'cursor' }],
    });
  });

  it('pages are empty if nothing was imported', async () => {
    expect(await read({ source: 'spotify' })).toEqual({
      podcastId: podcast.id,
      source: 'spotify',
      importedAt: null,
      asOf: null,
      showMetrics: {},
      includedInPlan: true,
      mayImport: true,
      episodes: [],
      next: undefined,
    });
  });
});
