import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countStatements } from '../../../../test/count-statements.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { explain } from '../../../../test/explain.ts';
import { makeEpisode, makePodcast, makeTrailer } from '../../../../test/make.ts';
import { attachTone } from '../../publishing/audio/index.ts';
import {
  findPublicPodcast,
  getEpisodeForPage,
  listPublicEpisodes,
  outlineShow,
  type PublicPodcast,
} from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

describe('the episodes before and after another', () => {
  it('the episodes before and after another are the nearest public ones, read in one statement', async () => {
    const { ctx } = test;
    const podcast = await makePodcast(ctx);
    const at = (minutes: number) =>
      new Date(ctx.clock.now().getTime() - 3_600_000 + minutes * 60_000);
    const make = (slug: string, minutes: number) =>
      makeEpisode(ctx, podcast, { slug, title: `The ${slug}`, publishedAt: at(minutes) });
    await make('second', 2);
    await make('first', 1);
    // At the same moment, ids decide, as in lists.
    await make('third', 3);
    await make('fourth', 3);
    await makeEpisode(ctx, podcast, { slug: 'draft', status: 'draft' });
    await make('soon', 59);
    await makeEpisode(ctx, await makePodcast(ctx), { publishedAt: at(2) });
    test.clock.set(at(58));
    const show = (await findPublicPodcast(ctx, podcast.id)) as PublicPodcast;
    const counted = countStatements(ctx);
    const around = async (slug: string) => {
      const { previous, next } = await getEpisodeForPage(counted.ctx, show, slug);
      return [previous?.slug, next?.slug];
    };
    expect(await around('first')).toEqual([undefined, 'second']);
    expect(await around('second')).toEqual(['first', 'third']);
    expect(await around('third')).toEqual(['second', 'fourth']);
    expect(await around('fourth')).toEqual(['third', undefined]);
    expect(counted.count()).toBe(4);
    const { previous } = await getEpisodeForPage(ctx, show, 'second');
    expect(previous).toEqual({ slug: 'first', title: 'The first' });
  });

  // PAGE-31
  it('the other episodes of a page are the newest, or those that follow in a serial show, in the same statement', async () => {
    const { ctx } = test;
    const podcast = await makePodcast(ctx, { showType: 'serial' });
    const now = ctx.clock.now();
    for (let n = 1; n <= 7; n += 1) {
      const publishedAt = new Date(now.getTime() - 3_600_000 + n * 1_000);
      const about = { title: `Part ${n}`, season: 1, episodeNumber: n };
      const { id } = await makeEpisode(ctx, podcast, { slug: `p${n}`, publishedAt, ...about });
      if (n === 6) await attachTone(ctx, id, 2);
    }
    await makeEpisode(ctx, podcast, { slug: 'draft', status: 'draft' });
    await makeEpisode(ctx, await makePodcast(ctx));
    const serial = (await findPublicPodcast(ctx, podcast.id)) as PublicPodcast;
    const episodic: PublicPodcast = { ...serial, showType: 'episodic' };
    const counted = countStatements(ctx);
    const othersOf = async (show: PublicPodcast, slug: string) => {
      const { others } = await getEpisodeForPage(counted.ctx, show, slug);
      return others.map((other) => other.slug);
    };
    expect(await othersOf(serial, 'p2')).toEqual(['p3', 'p4', 'p5', 'p6']);
    expect(await othersOf(serial, 'p6')).toEqual(['p7']);
    expect(await othersOf(serial, 'p7')).toEqual(['p6', 'p5', 'p4', 'p3']);
    expect(await othersOf(episodic, 'p2')).toEqual(['p7', 'p6', 'p5', 'p4']);
    expect(await othersOf(episodic, 'p6')).toEqual(['p7', 'p5', 'p4', 'p3']);
    expect(counted.count()).toBe(5);
    const { others } = await getEpisodeForPage(ctx, serial, 'p5');
    const [listed] = await listPublicEpisodes(ctx, serial, { limit: 2 }).then(({ items }) =>
      items.filter(({ slug }) => slug === 'p6'),
    );
    expect(others[0]?.audio?.durationMs).toBeGreaterThan(1_900);
    expect(listed).toMatchObject({ ...others[0] });
  });

  it('the other episodes of a page are found by their index, however many episodes there are', async () => {
    const { ctx } = test;
    const { id } = await makePodcast(ctx, { showType: 'serial' });
    const show = (await findPublicPodcast(ctx, id)) as PublicPodcast;
    const plan = await ctx.db.transaction().execute(async (db) => {
      await sql`set local enable_seqscan = off`.execute(db);
      await sql`set local enable_sort = off`.execute(db);
      return explain(db, async (explained) => {
        await getEpisodeForPage({ ...ctx, db: explained }, show, 'any').catch(() => {});
      });
    });
    expect(plan).not.toContain('episodes_by_publication');
    expect(plan.match(/episodes_public /g)?.length ?? 0).toBeGreaterThanOrEqual(4);
  });
});

// PAGE-33
it('the trailer of a show is the newest public one with audio, read with its outline', async () => {
  const { ctx } = test;
  const podcast = await makePodcast(ctx);
  const at = (minutes: number) => new Date(ctx.clock.now().getTime() + minutes * 60_000);
  const make = async (slug: string, minutes: number, hasAudio = true) => {
    const type = slug === 'full' ? 'full' : 'trailer';
    const about = { slug, title: slug, episodeType: type, publishedAt: at(minutes) } as const;
    const { id } = await makeEpisode(ctx, podcast, about);
    if (hasAudio) await attachTone(ctx, id, 2);
    return id;
  };
  const read = async () => (await findPublicPodcast(ctx, podcast.id)) as PublicPodcast;
  const counted = countStatements(ctx);
  expect((await outlineShow(counted.ctx, await read())).trailer).toBeNull();
  const statements = counted.count();
  await make('old', -9);
  const wanted = await make('wanted', -8);
  await make('silent', -7, false);
  await make('full', -6);
  const draft = { slug: 'draft', status: 'draft', episodeType: 'trailer' } as const;
  await attachTone(ctx, (await makeEpisode(ctx, podcast, draft)).id, 2);
  const other = { episodeType: 'trailer', publishedAt: at(-1) } as const;
  await attachTone(ctx, (await makeEpisode(ctx, await makePodcast(ctx), other)).id, 2);
  const again = countStatements(ctx);
  const { trailer, years } = await outlineShow(again.ctx, await read());
  expect(trailer).toMatchObject({
    id: wanted,
    slug: 'wanted',
    audio: { contentType: 'audio/mpeg' },
  });
  expect(years).toHaveLength(1);
  // Only the years are counted now.
  expect(again.count()).toBe(statements + 1);
});

it('the trailer elsewhere is the newest of the feed that is out and can be played in a page', async () => {
  const { ctx } = test;
  const at = (minutes: number) =>
    new Date(ctx.clock.now().getTime() + minutes * 60_000).toUTCString();
  const element = (name: string, pubdate: string, more: Record<string, string> = {}) =>
    makeTrailer(name, { url: `https://far.example/${name}.mp3`, pubdate, ...more });
  const extraElements = [
    element('old', at(-90), { type: 'audio/mpeg' }),
    element('wanted', at(-60), { type: 'audio/mpeg' }),
    element('seen', at(-30), { type: 'video/mp4' }),
    element('insecure', at(-20), { url: 'http://far.example/insecure.mp3' }),
    element('script', at(-10), { url: 'javascript:alert(1)' }),
    element('undated', 'some day'),
    element('later', at(5)),
  ];
  const podcast = await makePodcast(ctx, { extraElements });
  const read = async () =>
    outlineShow(ctx, (await findPublicPodcast(ctx, podcast.id)) as PublicPodcast);
  const elsewhere = { title: 'wanted', url: 'https://far.example/wanted.mp3' };
  expect(await read()).toMatchObject({ trailer: null, trailerElsewhere: elsewhere });
  const { id } = await makeEpisode(ctx, podcast, { episodeType: 'trailer' });
  await attachTone(ctx, id, 2);
  expect(await read()).toMatchObject({ trailer: { id }, trailerElsewhere: null });
});
