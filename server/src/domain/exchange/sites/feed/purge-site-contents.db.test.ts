import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import { makeSite } from '../../../../../test/make-site.ts';
import { SiteReader } from '../../../../../test/site-reader.ts';
import { updateEpisode } from '../../../publishing/episodes/index.ts';
import { setPeople } from '../../../publishing/people/index.ts';
import { purgeSiteContentsJob } from '../index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const purge = () =>
  purgeSiteContentsJob.run(
    { ...test.ctx, principal: { kind: 'system' } },
    {},
    { signal: new AbortController().signal, enqueue: async () => undefined },
  );
const countContents = async () =>
  (await test.database.pool.query('select from site_contents')).rowCount;

it('contents that no site has are deleted ten minutes after their last use', async () => {
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
  // Used again in this time: it begins anew.
  await updateEpisode(test.ctx, episode.id, { title: 'Three' });
  await readAll();
  test.clock.advance(9 * minuteMs);
  await updateEpisode(test.ctx, episode.id, { title: 'Two' });
  await readAll();
  test.clock.advance(2 * minuteMs);
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

it('a long roster is stored once for all episodes, and deleted when no site has it', async () => {
  await test.database.pool.query('delete from sites');
  test.clock.advance(48 * hourMs);
  await purge();
  const ana = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner: ana });
  const episodes = 20;
  for (let n = 0; n < episodes; n += 1) await makeEpisode(test.ctx, show);
  const roster = Array.from({ length: 400 }, (_, n) => ({ name: `Person ${n}`, role: 'host' }));
  await setPeople(test.ctx, show.id, roster);
  const reader = new SiteReader(await makeSite(test.ctx, ana, [show]));
  await reader.catchUp();
  expect(await countContents()).toBe(episodes + 1);
  const [stored] = (
    await test.database.pool.query(
      'select sum(octet_length(content::text))::int as bytes from site_contents',
    )
  ).rows;
  expect(stored.bytes).toBeLessThan(30_000);
  const shown = () => [...reader.held.values()].map(({ episode: { people } }) => people);
  const expected = (people: readonly object[]) => people.map((one) => ({ ...one, photo: null }));
  expect(shown()).toEqual(Array(episodes).fill(expected(roster)));
  // Another roster is another content of each episode.
  const hashes = [...reader.held.values()].map(({ contentHash }) => contentHash);
  const fewer = roster.slice(1);
  await setPeople(test.ctx, show.id, fewer);
  await reader.catchUp();
  expect(shown()).toEqual(Array(episodes).fill(expected(fewer)));
  expect(hashes).not.toContain([...reader.held.values()][0]?.contentHash);
  // The same roster again has the same hashes.
  await setPeople(test.ctx, show.id, roster);
  await reader.catchUp();
  expect([...reader.held.values()].map(({ contentHash }) => contentHash)).toEqual(hashes);
  test.clock.advance(48 * hourMs);
  await purge();
  expect(await countContents()).toBe(episodes + 1);
  expect(shown()).toEqual(Array(episodes).fill(expected(roster)));
});
