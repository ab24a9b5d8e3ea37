import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { loadSeed } from '../../../../test/load-seed.ts';
import { getUserByEmail } from '../../foundation/accounts/index.ts';
import {
  findCurrentSlug,
  findPublicPodcast,
  getPublicEpisode,
  listFeedEpisodes,
} from '../../public/catalogue/index.ts';
import { makeTone } from '../../publishing/audio/index.ts';
import { getEpisode } from '../../publishing/episodes/index.ts';
import { getPodcast, getPodcastBySlug } from '../../publishing/podcasts/index.ts';
import { findChapters, findPublishedTranscript } from '../../publishing/transcripts/index.ts';
import { loadSeedFile } from './index.ts';

let test: TestContext;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-seed-'));
  await mkdir(join(folder, 'audio'));
  await pipeline(makeTone(5), createWriteStream(join(folder, 'audio/first.mp3')));
  const picture = { width: 1400, height: 1400, channels: 3, background: '#336699' } as const;
  await sharp({ create: picture }).png().toFile(join(folder, 'cover.png'));
  await writeFile(join(folder, 'words.vtt'), 'WEBVTT\n\n00:00.000 --> 00:02.000\n<v Bo>Hello\n');
  await writeFile(join(folder, 'parts.json'), '{"chapters":[{"startTime":0,"title":"Part"}]}');
});
afterAll(() => rm(folder, { recursive: true }));

async function install(): Promise<() => PromiseLike<void>> {
  test = await createTestContext({ TERMS_VERSION: '2026-01' });
  return () => test[Symbol.asyncDispose]();
}

const load = (seedFile: unknown) => loadSeed(test, folder, seedFile);

const ana = { ref: 'ana', email: 'ana@example.com', password: 'correct horse battery' };
const show = { ref: 'show', owner: 'ana', slug: 'night-signals', title: 'Night Signals' };
const withEpisodes = (episodes: object[], more: object = {}) => ({
  users: [ana],
  podcasts: [{ ...show, ...more, episodes }],
});

describe('a whole seed file', () => {
  beforeEach(install);

  // SEED-6, SEED-12
  it('the whole example of the documentation is a valid seed file', async () => {
    const example = join(import.meta.dirname, '../../../../../docs/seed-example.json');
    const made = await load(JSON.parse(await readFile(example, 'utf8')));
    expect(made.downloads).toEqual({ requests: 1, counted: 1 });
    const ids = made.podcasts['signals'];
    expect(ids).toMatchObject({
      slug: 'night-signals',
      episodes: { first: { slug: 'first-light' }, second: { slug: 'second-light' } },
    });
    const user = await getUserByEmail(test.ctx, 'ana@example.com');
    expect(made.users).toMatchObject({ ana: { id: user.id } });
    expect(made.sites).toEqual({
      blog: { code: expect.stringMatching(/^[\w-]{43}$/) },
      shop: { keyId: expect.any(String), secret: expect.stringMatching(/^svc_live_/) },
    });

    const found = await findPublicPodcast(test.ctx, 'night-signals');
    const daysAgo = (days: number) => new Date(test.clock.now().getTime() - days * 86_400_000);
    expect(found).toMatchObject({
      id: ids?.id,
      author: 'Ana',
      brandColor: '#aa3300',
      category: 'Science',
      createdAt: daysAgo(800),
      artwork: { width: 1400 },
      roster: [{ name: 'Bo', role: 'host', group: 'cast', photo: { width: 1400 } }],
    });
    expect(await findCurrentSlug(test.ctx, 'old-signals')).toMatchObject({ slug: 'night-signals' });

    const episode = await getPublicEpisode(test.ctx, found!, 'first-light');
    expect(episode).toMatchObject({
      guid: 'tag:signals.example,2020:1',
      season: 1,
      episodeNumber: 1,
      publishedAt: daysAgo(30),
      audio: { contentType: 'audio/mpeg', durationMs: 4992 },
      transcriptLanguage: 'en',
      hasChapters: true,
      people: [{ name: 'Bo' }],
    });
    expect(await findPublishedTranscript(test.ctx, episode.id)).toMatchObject({
      segments: [{ speaker: 'Bo', text: 'Hello' }],
    });
    expect(await findChapters(test.ctx, episode.id)).toEqual([{ startMs: 0, title: 'Part' }]);
    // The original file stays.
    expect((await stat(join(folder, 'audio/first.mp3'))).isFile()).toBe(true);
  });

  it("sets an episode's artwork and other fields", async () => {
    const entry = { ref: 'e', slug: 'one', title: 'One', artwork: 'cover.png' };
    const made = await load(
      withEpisodes([{ ...entry, link_url: 'https://x.example/1' }], { show_type: 'serial' }),
    );
    const { id, episodes } = made.podcasts['show']!;
    expect(await getPodcast(test.ctx, id)).toMatchObject({ showType: 'serial' });
    expect(await getEpisode(test.ctx, episodes['e']!.id)).toMatchObject({
      artworkId: expect.any(String),
      linkUrl: 'https://x.example/1',
    });
  });

  it('sets the other fields of feeds', async () => {
    const ofShow = {
      other_categories: [{ category: 'News' }],
      other_funding: [{ url: 'https://give.example/' }],
      medium: 'music',
      complete: true,
      itunes_block: true,
      hosting_type: 'external',
    };
    const ofEpisode = {
      itunes_title: 'One',
      season_name: 'First',
      episode_display: 'I',
      itunes_block: true,
    };
    const episode = { ref: 'e', slug: 'one', title: 'Episode one', ...ofEpisode };
    const { podcasts } = await load(withEpisodes([episode], ofShow));
    expect(await getPodcast(test.ctx, podcasts['show']?.id ?? '')).toMatchObject({
      otherCategories: [{ category: 'News', subcategory: null }],
      otherFunding: [{ url: 'https://give.example/', text: null }],
      medium: 'music',
      complete: true,
      itunesBlock: true,
      hostingType: 'external',
    });
    const made = podcasts['show']?.episodes['e']?.id ?? '';
    expect(await getEpisode(test.ctx, made)).toMatchObject({
      itunesTitle: 'One',
      seasonName: 'First',
      episodeDisplay: 'I',
      itunesBlock: true,
    });
  });

  it('a whole seed file has defaults for missing fields', async () => {
    const made = await load(withEpisodes([{ ref: 'e', slug: 'one', title: 'One' }]));
    const podcast = await getPodcast(test.ctx, made.podcasts['show']!.id);
    expect(podcast).toMatchObject({
      author: 'ana',
      description: 'Night Signals',
      language: 'en',
      explicit: false,
      status: 'active',
      hostingType: 'hosted',
      teamKeys: false,
      timezone: 'UTC',
      playerTheme: 'light',
      playerWaveform: true,
      websiteUrl: null,
      createdAt: test.clock.now(),
    });
    expect(await getEpisode(test.ctx, made.podcasts['show']!.episodes['e']!.id)).toMatchObject({
      status: 'draft',
      description: 'One',
      episodeType: 'full',
      season: null,
      episodeNumber: 1,
      shareTranscriptWithCohosts: false,
      publishTranscript: false,
    });
  });

  it('sets the access of members, and the terms and plan of users', async () => {
    await load({
      users: [
        { ...ana, plan: 'studio', plan_state: 'lapsed', accepts_terms: false },
        { ...ana, ref: 'cy', email: 'cy@example.com' },
      ],
      podcasts: [
        {
          ...show,
          members: [
            { user: 'cy', role: 'custom', role_name: 'Archivist', capabilities: ['episodes.edit'] },
          ],
        },
      ],
    });
    const members = await test.database.pool.query(
      'select role, role_name, capabilities from podcast_members order by role',
    );
    expect(members.rows).toEqual([
      { role: 'custom', role_name: 'Archivist', capabilities: ['episodes.edit'] },
      { role: 'owner', role_name: null, capabilities: null },
    ]);
    const users = await test.database.pool.query(
      'select plan, plan_state, accepted_terms from users join accounts a on a.id = account_id order by email',
    );
    expect(users.rows).toEqual([
      { plan: 'studio', plan_state: 'lapsed', accepted_terms: null },
      { plan: 'enterprise', plan_state: 'active', accepted_terms: '2026-01' },
    ]);
  });
});

describe('times and states', () => {
  beforeEach(install);

  // SEED-5, SEED-7
  it('times and states are relative to the time of loading', async () => {
    const made = await load(
      withEpisodes([
        { ref: 'past', slug: 'past', title: 'Past', status: 'published', published_at: '-36h' },
        { ref: 'now', slug: 'now', title: 'Now', status: 'published' },
        { ref: 'due', slug: 'due', title: 'Due', status: 'scheduled', scheduled_for: '-1m' },
        { ref: 'soon', slug: 'soon', title: 'Soon', status: 'scheduled', scheduled_for: '+2s' },
      ]),
    );
    const ids = made.podcasts['show']!.episodes;
    const stateOf = async (ref: string) => {
      const { status, publishedAt } = await getEpisode(test.ctx, ids[ref]!.id);
      return [status, publishedAt?.toISOString()];
    };
    expect(await stateOf('past')).toEqual(['published', '2026-03-09T00:00:00.000Z']);
    expect(await stateOf('now')).toEqual(['published', '2026-03-10T12:00:00.000Z']);
    expect(await stateOf('due')).toEqual(['published', '2026-03-10T11:59:00.000Z']);
    expect(await stateOf('soon')).toEqual(['scheduled', undefined]);
    test.clock.advance(2000);
    expect(await stateOf('soon')).toEqual(['published', '2026-03-10T12:00:02.000Z']);
  });

  it('times and states of a paused show keep its present feed', async () => {
    const old = { ref: 'e', slug: 'one', title: 'One', status: 'published', published_at: '-1d' };
    await load(
      withEpisodes([{ ...old, audio: { tone_seconds: 1 } }], {
        status: 'paused',
        created_at: '-800d',
      }),
    );
    const paused = await findPublicPodcast(test.ctx, 'night-signals');
    expect(paused).toMatchObject({ status: 'paused', pausedAt: test.clock.now() });
    expect(
      await (await listFeedEpisodes(test.ctx, paused!, { after: undefined, limit: 10 })).items,
    ).toHaveLength(1);
  });

  it.each([
    ['overage_suspended', {}],
    ['draft', {}],
    ['moved', { new_feed_url: 'https://elsewhere.example/feed.xml' }],
  ])('a show is loaded that is %s', async (status, more) => {
    await load(withEpisodes([], { ...more, status }));
    expect((await getPodcastBySlug(test.ctx, 'night-signals')).status).toBe(status);
  });
});

describe('an imported origin', () => {
  beforeEach(install);

  // FEED-4, FEED-5
  it('sets the GUID of the feed and the fingerprints, unless it carries a credential', async () => {
    const sources = {
      plain: { guid: ' tag:1 ', enclosure_url: 'https://cdn.example.com/a.mp3' },
      secret: { guid: 'https://cdn.example.com/a.mp3?token=1', enclosure_url: null },
      blank: { guid: ' ', enclosure_url: 'https://cdn.example.com/b.mp3' },
      empty: { guid: '', enclosure_url: 'https://cdn.example.com/c.mp3' },
      nothing: { guid: null, enclosure_url: null },
    };
    const made = await load(
      withEpisodes(
        Object.entries(sources).map(([ref, source]) => ({ ref, slug: ref, title: ref, source })),
      ),
    );
    const { rows } = await test.database.pool.query<Record<string, string | null>>(
      `select slug, guid, source_key, source_guid, length(source_guid_sha256) as hashed
       from episodes order by episode_number`,
    );
    expect(rows).toEqual([
      { slug: 'plain', guid: 'tag:1', source_key: 'tag:1', source_guid: ' tag:1 ', hashed: 64 },
      {
        slug: 'secret',
        guid: null,
        source_key: sources.secret.guid,
        source_guid: sources.secret.guid,
        hashed: 64,
      },
      {
        slug: 'blank',
        guid: 'https://cdn.example.com/b.mp3',
        source_key: 'enclosure:https://cdn.example.com/b.mp3',
        source_guid: ' ',
        hashed: null,
      },
      {
        slug: 'empty',
        guid: 'https://cdn.example.com/c.mp3',
        source_key: 'enclosure:https://cdn.example.com/c.mp3',
        source_guid: null,
        hashed: null,
      },
      { slug: 'nothing', guid: null, source_key: null, source_guid: null, hashed: null },
    ]);
    const { id } = made.podcasts['show']!.episodes['secret']!;
    expect((await getEpisode(test.ctx, id)).guid).toBe(id);
  });
});

describe('a refused file', () => {
  beforeEach(install);

  const tone = { ref: 'e', slug: 'one', title: 'One', audio: { tone_seconds: 1 } };

  async function expectNothingLeft(): Promise<void> {
    const { rows } = await test.database.pool.query(
      `select (select count(*) from users) as users, (select count(*) from podcasts) as podcasts,
        (select count(*) from podcast_slugs) as slugs, (select count(*) from accounts) as accounts`,
    );
    expect(rows).toEqual([{ users: 0, podcasts: 0, slugs: 0, accounts: 0 }]);
    expect(await listBlobs()).toEqual([]);
  }

  /** Files, without their folders; includes the scratch folder. */
  async function listBlobs(): Promise<string[]> {
    const root = join(test.ctx.blobs.scratchDir, '..');
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  // SEED-2
  it.each<[string, object, string, RegExp]>([
    [
      'a slug twice',
      { ...show, artwork: 'cover.png', episodes: [tone, { ...tone, ref: 'f' }] },
      'podcasts[0].episodes[1].slug',
      /already/,
    ],
    [
      'audio that is none',
      { ...show, episodes: [tone, { ...tone, ref: 'f', slug: 'f', audio: { file: 'words.vtt' } }] },
      'podcasts[0].episodes[1].audio',
      /audio/i,
    ],
    [
      'audio that is not there',
      { ...show, episodes: [tone, { ...tone, ref: 'f', slug: 'f', audio: { file: 'no.mp3' } }] },
      'podcasts[0].episodes[1].audio',
      /There is no file .*no\.mp3/,
    ],
    [
      'a folder in the place of audio',
      { ...show, episodes: [{ ...tone, audio: { file: 'audio' } }] },
      'podcasts[0].episodes[0].audio',
      /is not a file, but a folder/,
    ],
    [
      'a name that no folder has',
      { ...show, artwork: `${'x'.repeat(5_000)}.png`, episodes: [tone] },
      'podcasts[0].artwork',
      /x\.png is too long/,
    ],
    [
      'a folder',
      { ...show, artwork: 'audio', episodes: [tone] },
      'podcasts[0].artwork',
      /is not a file, but a folder/,
    ],
    [
      'a transcript that is none',
      { ...show, episodes: [{ ...tone, transcript: { text: '' } }] },
      'podcasts[0].episodes[0].transcript',
      /./,
    ],
    [
      'chapters that are none',
      { ...show, episodes: [{ ...tone, chapters: { file: 'words.vtt' } }, tone] },
      'podcasts[0].episodes[1].ref',
      /used twice/,
    ],
    [
      'an owner as member',
      { ...show, members: [{ user: 'ana', role: 'editor' }], episodes: [tone] },
      'podcasts[0].members[0].user',
      /already/,
    ],
  ])('a file refused for %s leaves nothing behind', async (_, podcast, field, message) => {
    const loading = load({ users: [ana], podcasts: [podcast] });
    await expect(loading).rejects.toMatchObject({
      kind: 'invalid',
      details: [{ field, message: expect.stringMatching(message) }],
    });
    await expectNothingLeft();
  });

  it('reports all files at once', async () => {
    const broken = { ...tone, transcript: { file: 'no.vtt' }, chapters: { text: 'no' } };
    await expect(load(withEpisodes([broken], { artwork: 'words.vtt' }))).rejects.toMatchObject({
      details: [
        { field: 'podcasts[0].artwork' },
        { field: 'podcasts[0].episodes[0].transcript' },
        { field: 'podcasts[0].episodes[0].chapters' },
      ],
    });
  });

  it('a file that is missing or not JSON is named', async () => {
    const path = join(folder, 'words.vtt');
    await expect(loadSeedFile(test.ctx, test.geo, { path })).rejects.toThrow(
      /words\.vtt is not valid JSON/,
    );
    await expect(loadSeedFile(test.ctx, test.geo, { path: `${path}x` })).rejects.toThrow(
      /There is no file/,
    );
  });

  it('a load that is cancelled leaves nothing behind', async () => {
    const stop = new AbortController();
    const path = join(folder, 'seed.json');
    await writeFile(path, JSON.stringify(withEpisodes([tone])));
    const blobs = {
      ...test.ctx.blobs,
      scratchDir: test.ctx.blobs.scratchDir,
      put: async (...args: Parameters<typeof test.ctx.blobs.put>) => {
        stop.abort(new Error('enough'));
        return await test.ctx.blobs.put(...args);
      },
      delete: (key: string) => test.ctx.blobs.delete(key),
    };
    const loading = loadSeedFile({ ...test.ctx, blobs }, test.geo, { path, signal: stop.signal });
    await expect(loading).rejects.toThrow('enough');
    await expectNothingLeft();
  });

  // SEED-2
  it('a file refused for a taken slug or address changes nothing', async () => {
    await load(withEpisodes([tone]));
    const before = await listBlobs();
    await expect(load(withEpisodes([tone]))).rejects.toMatchObject({
      details: [{ field: 'users[0].email' }],
    });
    const bo = { ...ana, email: 'bo@example.com' };
    await expect(
      load({ users: [bo], podcasts: [{ ...show, slug: 'other', previous_slugs: [show.slug] }] }),
    ).rejects.toMatchObject({ details: [{ field: 'podcasts[0].slug', reason: 'slug_taken' }] });
    expect(await listBlobs()).toEqual(before);
  });
});
