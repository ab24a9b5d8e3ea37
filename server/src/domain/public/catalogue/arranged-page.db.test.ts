import { afterAll, beforeAll, expect, it } from 'vitest';
import { countStatements } from '../../../../test/count-statements.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makePodcast } from '../../../../test/make.ts';
import { newId } from '../../../lib/uuid.ts';
import { pausePodcast } from '../../publishing/podcasts/index.ts';
import { listPodroll } from './arranged-page.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

// PAGE-23
it('a page has the first hundred recommended shows of a feed, with short titles', async () => {
  const items = Array.from({ length: 300 }, (_, n) => ({
    name: 'podcast:remoteItem',
    attributes: [
      ['feedGuid', newId()],
      ['title', `${n} ${'word '.repeat(50)}`],
    ] as const,
    ...{ text: '', children: [] },
  }));
  const podroll = { name: 'podcast:podroll', attributes: [], text: '', children: items };
  const { id } = await makePodcast(test.ctx, { extraElements: [podroll] });
  const listed = await listPodroll(test.ctx, id);
  expect(listed.map(({ guid }) => guid)).toEqual(
    items.slice(0, 100).map(({ attributes: [[, guid]] }) => guid),
  );
  expect(listed[99]?.title).toMatch(/^99 word .*word…$/);
  expect(Math.max(...listed.map(({ title }) => title.length))).toBeLessThanOrEqual(128);
});

// PAGE-34
it('recommended shows that are here are found by their GUID and feed, if they are open to all', async () => {
  const { ctx } = test;
  const guid = newId();
  const named = await makePodcast(ctx, { slug: 'named', title: 'Named here', guid });
  const twice = newId();
  for (const slug of ['original', 'copy']) await makePodcast(ctx, { slug, guid: twice });
  const resting = newId();
  await pausePodcast(ctx, (await makePodcast(ctx, { slug: 'resting', guid: resting })).id);
  const item = (...attributes: readonly (readonly [string, string])[]) => ({
    name: 'podcast:remoteItem',
    attributes,
    ...{ text: '', children: [] },
  });
  const podroll = async (...children: ReturnType<typeof item>[]) => {
    const element = { name: 'podcast:podroll', attributes: [], text: '', children };
    const { id } = await makePodcast(ctx, { extraElements: [element] });
    const counted = countStatements(ctx);
    const listed = await listPodroll(counted.ctx, id);
    expect(counted.count()).toBeLessThanOrEqual(2);
    return listed.map(({ title, here }) => [title, here?.slug]);
  };
  const { baseUrl } = ctx.installation;
  expect(
    await podroll(
      item(['feedGuid', named.guid.toUpperCase()]),
      item(['feedGuid', named.guid], ['feedUrl', `${baseUrl}/feeds/named.xml`], ['title', 'Mine']),
    ),
  ).toEqual([
    ['Named here', 'named'],
    ['Mine', 'named'],
  ]);
  // An importer of a feed isn't its owner.
  const elsewhere = 'https://feeds.example/named.xml';
  expect(await podroll(item(['feedGuid', guid], ['feedUrl', elsewhere]))).toEqual([
    ['feeds.example', undefined],
  ]);
  expect(await podroll(item(['feedGuid', twice], ['title', 'Two']))).toEqual([['Two', undefined]]);
  expect(
    await podroll(
      item(['feedGuid', twice], ['feedUrl', `${baseUrl}/feeds/copy.xml`], ['title', 'Two']),
    ),
  ).toEqual([['Two', 'copy']]);
  expect(await podroll(item(['feedGuid', resting], ['title', 'Rests']))).toEqual([
    ['Rests', undefined],
  ]);
  expect(await podroll()).toEqual([]);
});
