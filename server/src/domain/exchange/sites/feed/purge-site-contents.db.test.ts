import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import { makeSite } from '../../../../../test/make-site.ts';
import { SiteReader } from '../../../../../test/site-reader.ts';
import { updateEpisode } from '../../../publishing/episodes/index.ts';
import { purgeSiteContentsJob } from '../index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const hourMs = 3_600_000;
const purge = () =>
  purgeSiteContentsJob.run(
    { ...test.ctx, principal: { kind: 'system' } },
    {},
    { signal: new AbortController().signal, enqueue: async () => undefined },
  );
const countContents = async () =>
  (await test.database.pool.query('select from site_contents')).rowCount;

it('contents that no site has are deleted a day after their last use', async () => {
  const ana = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner: ana });
  const episode = await makeEpisode(test.ctx, show, { title: 'One' });
  const readers = [
    new SiteReader(await makeSite(test.ctx, ana, [show])),
    new SiteReader(await makeSite(test.ctx, ana, [show])),
  ] as const;
  const readAll = async () => {
    for (const reader of readers) await reader.catchUp();
  };
  await readAll();
  // One content for both sites; it stays for as long as one of them has it.
  expect(await countContents()).toBe(1);
  test.clock.advance(48 * hourMs);
  await updateEpisode(test.ctx, episode.id, { title: 'Two' });
  await readers[0].catchUp();
  await purge();
  expect(await countContents()).toBe(2);
  await readers[1].catchUp();
  await purge();
  expect(await countContents()).toBe(1);
  // Used again within the day: the day begins anew.
  await updateEpisode(test.ctx, episode.id, { title: 'Three' });
  await readAll();
  test.clock.advance(23 * hourMs);
  await updateEpisode(test.ctx, episode.id, { title: 'Two' });
  await readAll();
  test.clock.advance(2 * hourMs);
  await purge();
  expect(await countContents()).toBe(1);
  await updateEpisode(test.ctx, episode.id, { title: 'Four' });
  await readAll();
  await purge();
  expect(await countContents()).toBe(2);
  const held = readers.map((reader) =>
    [...reader.held.values()].map(({ episode: { title } }) => title),
  );
  expect(held).toEqual([['Four'], ['Four']]);
});
