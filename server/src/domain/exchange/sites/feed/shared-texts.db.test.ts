import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import { makeSite } from '../../../../../test/make-site.ts';
import { SiteReader } from '../../../../../test/site-reader.ts';
import { setPeople } from '../../../publishing/people/index.ts';
import { purgeRecentContentsJob } from '../index.ts';

const episodes = 12;
const notesOf = (n: number) => `<p>${`Notes of ${n}. `.repeat(6_000)}</p>`;
const minuteMs = 60_000;

let test: TestContext;
let show: Awaited<ReturnType<typeof makePodcast>>;
let site: Awaited<ReturnType<typeof makeSite>>;
let reader: SiteReader;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  await rows('delete from site_changes');
  test.clock.advance(11 * minuteMs);
  await purge();
  const ana = await makeUser(test.ctx);
  show = await makePodcast(test.ctx, { owner: ana });
  for (let n = 0; n < episodes; n += 1)
    await makeEpisode(test.ctx, show, { title: `Episode ${n}`, showNotesHtml: notesOf(n) });
  await setPeople(test.ctx, show.id, [{ name: 'Me' }]);
  site = await makeSite(test.ctx, ana, [show]);
  reader = new SiteReader(site);
  await reader.catchUp();
});

const rows = async (sql: string) => (await test.database.pool.query(sql)).rows;
const purge = () =>
  purgeRecentContentsJob.run(
    { ...test.ctx, principal: { kind: 'system' } },
    {},
    { signal: new AbortController().signal, enqueue: async () => undefined },
  );
/** Before compression. */
const countBytes = async (): Promise<number> =>
  (
    await rows(
      'select coalesce(sum(octet_length(kept::text)), 0)::int as n from site_contents kept',
    )
  )[0].n;
async function rename(name: string): Promise<void> {
  await setPeople(test.ctx, show.id, [{ name }]);
  await reader.catchUp();
}
const shown = ({ held }: SiteReader) =>
  [...held.values()]
    .map(({ episode, contentHash }) => ({ episode, contentHash }))
    .sort((a, b) => (a.episode.title < b.episode.title ? -1 : 1));

describe('the long texts of contents', () => {
  it('another roster stores no long text again', async () => {
    const before = await countBytes();
    expect(before).toBeGreaterThan(episodes * 70_000);
    await rename('Somebody else');
    expect(reader.seen).toHaveLength(2 * episodes);
    expect((await countBytes()) - before).toBeLessThan(episodes * 900);
    expect(shown(reader)[3]?.episode).toMatchObject({
      title: 'Episode 11',
      showNotesHtml: notesOf(11),
      people: [{ name: 'Somebody else' }],
    });
  });

  it('what a show that changes all the time has stored is deleted after ten minutes', async () => {
    const before = await countBytes();
    for (let round = 0; round < 40; round += 1) {
      await rename(`Round ${round}`);
      test.clock.advance(minuteMs);
      if (round % 10 === 9) await purge();
    }
    expect((await countBytes()) - before).toBeLessThan(11 * episodes * 900);
    test.clock.advance(10 * minuteMs);
    await purge();
    expect((await countBytes()) - before).toBeLessThan(episodes * 900);
    const late = new SiteReader(site);
    await late.catchUp();
    expect(shown(late)).toEqual(shown(reader));
  });

  it('texts that an episode no longer has are deleted', async () => {
    await rows(`update episodes set show_notes_html = '', description = ''`);
    await rename('A full comparison');
    test.clock.advance(11 * minuteMs);
    await purge();
    expect(await countBytes()).toBeLessThan(episodes * 900);
  });

  it('a content with its texts within it, as earlier versions stored it, is read and kept', async () => {
    const before = shown(reader);
    await rows(`update site_contents kept set texts_hash = null,
      content = (kept.content::jsonb || texts.content::jsonb)::json
      from site_contents texts where texts.hash = kept.texts_hash`);
    test.clock.advance(11 * minuteMs);
    await purge();
    expect(await rows('select from site_contents')).toHaveLength(episodes);
    const late = new SiteReader(site);
    await late.catchUp();
    expect(shown(late)).toEqual(before);
    await rename('Another');
    await rename('Me');
    expect(shown(reader)).toEqual(before);
    expect(await rows('select from site_contents where texts_hash is not null')).toHaveLength(
      episodes,
    );
  });
});
