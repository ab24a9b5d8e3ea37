import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { setDomain } from '../../publishing/domains/index.ts';
import { listDirectory, listDirectoryPartEnds, listDirectorySitemaps } from './directory.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

// PAGE-15
it('sitemaps of the directory have parts of fixed shows, and name those that are long', async () => {
  const { ctx, clock } = test;
  const owner = await makeUser(ctx);
  const shows = [];
  for (let n = 0; n < 5; n += 1) {
    const show = await makePodcast(ctx, { owner, slug: `listed-${n}` });
    for (let count = 0; count < n; count += 1) await makeEpisode(ctx, show, {});
    shows.push(show);
    if (n !== 2) clock.set(new Date(clock.now().getTime() + 1));
  }
  const waiting = shows[1];
  if (waiting !== undefined) await setDomain(ctx, waiting.id, 'waits.example');
  const ends = await listDirectoryPartEnds(ctx, 2);
  expect(ends).toHaveLength(2);
  const slugs: string[][] = [];
  for (const after of [undefined, ...ends]) {
    const part = await listDirectorySitemaps(ctx, { limit: 2, after, pagesOfShow: 3 });
    slugs.push(part.map(({ slug, isLong }) => (isLong ? `${slug} is long` : slug)));
  }
  expect(slugs.flat().sort()).toEqual([
    ...['listed-0', 'listed-1', 'listed-2', 'listed-3', 'listed-4 is long'],
  ]);
  expect(slugs.map(({ length }) => length)).toEqual([2, 2, 1]);
});

it('a search of the directory ignores the case of letters beyond ASCII', async () => {
  const { ctx } = test;
  await makePodcast(ctx, { title: 'ÜBER Éclairs' });
  const search = async (...words: string[]) =>
    (await listDirectory(ctx, { limit: 5, words })).items.map(({ title }) => title);
  expect(await search('über', 'éCLAIRS')).toEqual(['ÜBER Éclairs']);
  expect(await search('über', '%')).toEqual([]);
});
