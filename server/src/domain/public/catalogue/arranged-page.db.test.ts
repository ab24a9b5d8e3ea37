import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makePodcast } from '../../../../test/make.ts';
import { newId } from '../../../lib/uuid.ts';
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
