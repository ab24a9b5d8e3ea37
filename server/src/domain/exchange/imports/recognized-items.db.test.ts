import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestItem, writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { makeUser } from '../../../../test/make.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
});
afterEach(() => fixture[Symbol.asyncDispose]());

const item = (number: number, changes: Partial<TestItem> = {}): TestItem => ({
  guid: `${number}`,
  title: `Episode ${number}`,
  date: `0${number} Jan 2020 10:00:00 GMT`,
  audio: `https://cdn.example/${number}.mp3`,
  ...changes,
});

const run = (items: readonly TestItem[], input: Parameters<ImportFixture['run']>[0] = {}) => {
  fixture.host.serve('/feed.xml', writeTestFeed({ items }));
  return fixture.run({ copyAudio: false, ...input });
};

const guidsOf = async (podcastId: string | null) =>
  (await fixture.episodesOf(podcastId)).map(({ guid }) => guid);

describe('an item without a GUID', () => {
  const { guid: _, ...bare } = item(1);

  it('an item without a GUID gets its enclosure’s address as its GUID, without a fingerprint of a GUID', async () => {
    const { podcast, warnings } = await run([bare]);
    expect(warnings).toEqual([]);
    expect(await fixture.episodesOf(podcast.id)).toMatchObject([
      { guid: 'https://cdn.example/1.mp3', source_guid_sha256: null },
    ]);
    expect(await run([bare])).toMatchObject({ unchanged: 1, created: 0 });
  });

  it('an item without a GUID keeps its first GUID when the feed adds one', async () => {
    const { podcast } = await run([bare]);
    expect(await run([item(1)])).toMatchObject({ created: 0, updated: 1 });
    expect(await guidsOf(podcast.id)).toEqual(['https://cdn.example/1.mp3']);
    expect(await run([item(1)])).toMatchObject({ unchanged: 1, warnings: [] });
  });

  it('an item without a GUID shares none with a later item whose GUID is its address', async () => {
    const namesake = item(2, { guid: 'https://cdn.example/1.mp3' });
    const { podcast, ...report } = await run([namesake, bare]);
    expect(report).toMatchObject({ created: 2, failed: 0 });
    expect(await guidsOf(podcast.id)).toEqual(['https://cdn.example/1.mp3', null]);
    expect(await run([namesake, bare])).toMatchObject({ created: 0, unchanged: 2 });
  });

  it('an item without a GUID gets a new GUID if its address has a credential, with a warning', async () => {
    const secret = { ...bare, audio: 'https://cdn.example/1.mp3?token=hush' };
    for (const dryRun of [true, false]) {
      const { warnings } = await run([secret, item(2)], { dryRun });
      expect(warnings.filter(({ reason }) => reason === 'new_guid')).toMatchObject([
        { guid: null, title: null, message: expect.stringMatching(/^1 item.* new episode/) },
      ]);
      expect(JSON.stringify(warnings)).not.toContain('hush');
    }
    const { podcast, warnings } = await run([secret, item(2)]);
    expect(warnings.filter(({ reason }) => reason === 'new_guid')).toEqual([]);
    expect(await guidsOf(podcast.id)).toEqual([null, '2']);
  });
});

describe('two items that share a GUID', () => {
  const first = item(1, { guid: 'same' });
  const second = item(2, { guid: 'same' });

  it('two items that share a GUID are two episodes if their audio differs, and are reported', async () => {
    const { podcast, ...report } = await run([second, first]);
    expect(report).toMatchObject({ created: 2, failed: 0 });
    expect(report.warnings).toMatchObject([
      { guid: 'same', title: 'Episode 1', reason: 'shared_guid' },
    ]);
    expect(await guidsOf(podcast.id)).toEqual(['https://cdn.example/1.mp3', 'same']);
    expect(await run([second, first])).toMatchObject({ created: 0, unchanged: 2 });
    expect(await run([second])).toMatchObject({ unchanged: 1 });
    expect(await run([first])).toMatchObject({ created: 0, unchanged: 1 });
    expect(await fixture.episodesOf(podcast.id)).toMatchObject([
      { title: 'Episode 1' },
      { title: 'Episode 2' },
    ]);
  });

  it('two items that share a GUID leave the GUID to the earlier episode', async () => {
    const { podcast } = await run([first]);
    expect(await run([second, first])).toMatchObject({ created: 1, unchanged: 1 });
    expect(await fixture.episodesOf(podcast.id)).toMatchObject([
      { title: 'Episode 1', guid: 'same' },
      { title: 'Episode 2', guid: 'https://cdn.example/2.mp3' },
    ]);
  });

  it('two items that share a GUID are one episode if only the prefixes of their audio differ', async () => {
    const audio = 'https://op3.dev/e/cdn.example/1.mp3';
    expect(await run([first, { ...second, audio }])).toMatchObject({
      created: 1,
      failed: 1,
      problems: [{ reason: 'duplicate_guid' }],
    });
  });
});

describe('a feed whose GUIDs all changed', () => {
  it('a feed whose GUIDs all changed is matched by audio and titles, and episodes keep their GUIDs', async () => {
    const { podcast } = await run([item(3), item(2), item(1)]);
    const changed = [
      item(3, { guid: 'c', audio: 'https://op3.dev/e/cdn.example/3.mp3?x=1', title: 'Renamed' }),
      item(2, { guid: 'b', audio: 'https://elsewhere.example/two.mp3' }),
      item(1, { guid: 'a' }),
    ];
    const dry = await run(changed, { dryRun: true });
    expect(dry).toMatchObject({ created: 0, updated: 3 });
    expect(dry.warnings).toMatchObject([
      { reason: 'guids_changed', message: expect.stringMatching(/^3 /) },
    ]);
    expect(await run(changed)).toMatchObject({ created: 0, updated: 3 });
    expect(await guidsOf(podcast.id)).toEqual(['1', '2', '3']);
    expect(await run(changed)).toMatchObject({ unchanged: 3, warnings: [] });
  });

  it('a feed whose GUIDs all changed is not matched by a title that several episodes have', async () => {
    const news = (number: number, host: string) =>
      item(number, {
        guid: `${host} ${number}`,
        title: 'News',
        date: '01 Jan 2020 10:00:00 GMT',
        audio: `https://${host}.example/${number}.mp3`,
      });
    await run([news(2, 'old'), news(1, 'old')]);
    expect(await run([news(2, 'new'), news(1, 'new')])).toMatchObject({ created: 2, updated: 0 });
  });

  it('a feed whose GUIDs all changed does not match new items that reuse an old title or old audio', async () => {
    await run([item(2), item(1)]);
    const rerun = item(1, { guid: 'r', title: 'Best of', date: '01 Jan 2024 10:00:00 GMT' });
    const again = item(2, {
      guid: 's',
      date: '02 Jan 2024 10:00:00 GMT',
      audio: 'https://x.example/s.mp3',
    });
    expect(await run([again, rerun, item(2)])).toMatchObject({ created: 2, unchanged: 1 });
  });
});

describe('a feed that moved without a redirect', () => {
  const elsewhere = [item(2, { guid: 'b' }), item(1, { guid: 'a' })];
  const moved = () => {
    fixture.host.serve('/new.xml', writeTestFeed({ title: 'Other name', items: elsewhere }));
    return { source: { url: `${fixture.host.url}/new.xml` }, copyAudio: false };
  };

  it('a feed that moved without a redirect is recognized: a dry run names the show, and --into imports into it', async () => {
    const { podcast } = await run([item(2), item(1)]);
    const dry = await fixture.run({ ...moved(), dryRun: true });
    expect(dry.podcast.outcome).toBe('created');
    expect(dry.warnings).toMatchObject([
      {
        reason: 'known_show',
        message: expect.stringMatching(/\(night-signals\).*import it into that show/),
      },
    ]);
    const into = await fixture.run({ ...moved(), into: 'night-signals' });
    expect(into).toMatchObject({ created: 0, updated: 2, podcast: { id: podcast.id } });
    expect(await fixture.rows('select id from podcasts')).toHaveLength(1);
    expect(await fixture.run(moved())).toMatchObject({ created: 0, podcast: { id: podcast.id } });
  });

  it('a feed that moved without a redirect is refused for shows of other accounts and for unknown shows', async () => {
    await run([item(2), item(1)]);
    const owner = await makeUser(fixture.test.ctx);
    const refused = { details: [{ field: 'into', reason: 'show_unknown' }] };
    await expect(fixture.run({ ...moved(), into: 'nowhere' })).rejects.toMatchObject(refused);
    await expect(fixture.run({ ...moved(), into: 'night-signals', owner })).rejects.toMatchObject(
      refused,
    );
    expect((await fixture.run({ ...moved(), owner, dryRun: true })).warnings).toEqual([]);
  });
});
