import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { attachTone } from '../../../src/domain/publishing/audio/index.ts';
import {
  attachImage,
  setEpisodeArtwork,
  setPodcastArtwork,
} from '../../../src/domain/publishing/images/index.ts';
import type { GivenRole, Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { setChapters } from '../../../src/domain/publishing/transcripts/index.ts';
import { countStatements } from '../../ask-with-key.ts';
import { type Browser, createBrowser, openMember, openSignedIn } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { pictureBytes } from '../../hosts/podcast-host.ts';
import { insertEpisodes } from '../../insert-episodes.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let owner: User;
let show: Podcast;
let browser: Browser;
let url: string;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner, title: 'Night Signals', category: 'Science' });
  browser = await openSignedIn(app, owner);
  url = `/app/api/podcasts/${show.id}`;
});

const memberWith = (role: GivenRole['role']) => openMember(app, show, role);

const query = (text: string, values: unknown[]) => app.database.pool.query(text, values);
const any = { 'if-match': '*' };

describe('the health of a show', () => {
  const health = async (as = browser) => (await as.get(`${url}/health`)).json().data;
  interface Finding {
    rule: string;
    episodes: { count: number; first: { id: string }[] } | null;
  }
  const found = async () =>
    new Map(((await health()).findings as Finding[]).map(({ rule, episodes }) => [rule, episodes]));

  // FEED-18
  it('those who edit a show check its measurement services, others only see the result', async () => {
    const check = `${url}/prefixes/check`;
    const { json, statusCode } = await browser.send('POST', check, {});
    expect([statusCode, json().data]).toEqual([200, { problem: 'nothing', host: null }]);
    const analyst = await memberWith('analyst');
    expect((await analyst.send('POST', check, {})).statusCode).toBe(403);
    const stranger = await openSignedIn(app, await makeUser(app.ctx));
    expect((await stranger.send('POST', check, {})).statusCode).toBe(404);
  });

  it('lists the problems of a new show', async () => {
    const { findings, passed } = await health();
    expect(findings).toContainEqual({
      rule: 'artwork',
      sources: ['apple', 'spotify', 'psp1'],
      severity: 'error',
      title: 'The show has artwork',
      message: 'The show has no artwork.',
      message_key: 'artwork',
      values: {},
      what_to_do: 'Upload a square JPEG or PNG, ideally 3000 × 3000 pixels.',
      episodes: null,
    });
    expect([...(await found()).keys()]).toEqual(
      expect.arrayContaining(['has_an_episode', 'description', 'owner_email', 'https']),
    );
    expect(passed).toContainEqual({
      rule: 'category',
      sources: ['apple', 'psp1'],
      title: 'The show has a category',
    });
  });

  it('finds long episodes without chapters, and chapters that Spotify does not show', async () => {
    const long = 'update audio_files set duration_ms = 600000 where episode_id = $1';
    const notes = 'Intro\n01:20 Guest';
    const makeLong = async (description: string) => {
      const episode = await makeEpisode(app.ctx, show, { description });
      await attachTone(app.ctx, episode.id, 1);
      await query(long, [episode.id]);
      return episode;
    };
    const [bare, described] = [await makeLong('Words.'), await makeLong(notes)];
    const [few, whole] = [await makeLong('Words.'), await makeLong('Words.')];
    await setChapters(app.ctx, few.id, [{ startMs: 0, title: 'One' }]);
    const chapters = [0, 30_000, 60_000].map((startMs) => ({ startMs, title: 'Part' }));
    await setChapters(app.ctx, whole.id, chapters);
    const findings = await found();
    const concerned = (rule: string) => findings.get(rule)?.first.map(({ id }) => id) ?? [];
    expect(concerned('episode_chapters')).toContain(bare.id);
    expect(concerned('episode_chapters_shown')).toEqual([few.id]);
    for (const fine of [described, few, whole]) {
      expect(concerned('episode_chapters')).not.toContain(fine.id);
    }
  });

  it('finds every problem of published and scheduled episodes', async () => {
    const good = await makeEpisode(app.ctx, show, { description: 'Words.' });
    await attachTone(app.ctx, good.id, 1);
    const silent = await makeEpisode(app.ctx, show, { itunesBlock: true });
    await makeEpisode(app.ctx, show, { status: 'draft' });
    const later = new Date(app.ctx.clock.now().getTime() + 3_600_000);
    const next = await makeEpisode(app.ctx, show, {
      status: 'scheduled',
      scheduledFor: later,
      title: 'x'.repeat(300),
      description: 'é'.repeat(2001),
    });
    await attachTone(app.ctx, next.id, 1);
    await query(
      `update audio_files set extension = 'ogg', size_bytes = null, duration_ms = null,
        blob_key = null, source_url = 'https://example.com/a.ogg' where episode_id = $1`,
      [next.id],
    );
    const bytes = await pictureBytes('#445566', 800);
    const { id: imageId } = await attachImage(app.ctx, { podcastId: show.id, bytes });
    await setEpisodeArtwork(app.ctx, silent.id, imageId);
    await query("update podcasts set show_type = 'serial' where id = $1", [show.id]);
    const findings = await found();
    expect(findings.has('has_an_episode')).toBe(false);
    const concerned = (rule: string) => findings.get(rule)?.first.map(({ id }) => id);
    expect(concerned('episode_audio')).toEqual([silent.id]);
    expect(concerned('episode_not_hidden')).toEqual([silent.id]);
    expect(concerned('episode_artwork')).toEqual([silent.id]);
    expect(concerned('episode_description')).toEqual([silent.id]);
    for (const rule of ['type', 'length', 'duration', 'title', 'description_length']) {
      expect(concerned(`episode_${rule}`), rule).toEqual([next.id]);
    }
    expect(findings.get('episode_number')?.count).toBe(3);
    expect(findings.get('episode_transcript')?.count).toBe(3);
    expect(findings.has('episode_guid')).toBe(false);
  });

  it('the health of a show says which artwork has more than 512 kB, of the show and of episodes', async () => {
    const [one, two] = [await makeEpisode(app.ctx, show), await makeEpisode(app.ctx, show)];
    const attach = async (color: string) =>
      (await attachImage(app.ctx, { podcastId: show.id, bytes: await pictureBytes(color) })).id;
    const cover = await attach('#123');
    const large = await attach('#456');
    const small = await attach('#789');
    await setPodcastArtwork(app.ctx, show.id, cover);
    await setEpisodeArtwork(app.ctx, one.id, large);
    await setEpisodeArtwork(app.ctx, two.id, small);
    const setBytes = (id: string, bytes: number) =>
      query('update images set size_bytes = $2 where id = $1', [id, bytes]);
    for (const id of [cover, large, small]) await setBytes(id, 512_000);
    const rules = async () => [...(await found()).keys()].filter((rule) => /_bytes$/.test(rule));
    expect(await rules()).toEqual([]);
    await setBytes(large, 512_001);
    expect(await rules()).toEqual(['episode_artwork_bytes']);
    expect((await found()).get('episode_artwork_bytes')).toMatchObject({
      ...{ count: 1, first: [{ id: one.id }] },
    });
    await setBytes(cover, 700_400);
    expect((await health()).findings).toContainEqual(
      expect.objectContaining({ rule: 'artwork_bytes', values: { size: 700, limit: 512 } }),
    );
    await setPodcastArtwork(app.ctx, show.id, null);
    expect(await rules()).toEqual(['episode_artwork_bytes']);
  });

  it('the health of a show names the newest twenty of many episodes, with the same number of statements', async () => {
    const once = await countStatements(app, health);
    for (let index = 0; index < 23; index += 1) {
      await makeEpisode(app.ctx, show, {
        publishedAt: new Date(app.ctx.clock.now().getTime() - index * 60_000),
        title: `Episode ${index}`,
      });
    }
    expect(await countStatements(app, health)).toBe(once);
    const silent = (await found()).get('episode_audio');
    expect(silent).toMatchObject({ count: 23 });
    expect(silent?.first).toHaveLength(20);
    expect(silent?.first[0]).toMatchObject({ title: 'Episode 0' });
  });

  it('the health of a show knows which episodes have the same GUID, one that was given or their id', async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => makeEpisode(app.ctx, show)));
    const setGuid = (id: string | undefined, guid: string | undefined) =>
      query('update episodes set guid = $2 where id = $1', [id, guid]);
    await setGuid(one?.id, two?.id);
    await setGuid(three?.id, 'another');
    const same = (await found()).get('episode_guid');
    expect(same?.first.map(({ id }) => id).sort()).toEqual([one?.id, two?.id].sort());
    await setGuid(two?.id, three?.id);
    expect((await found()).has('episode_guid')).toBe(false);
  });

  it('the health of a show reads its episodes in slices, as many or as long ones as take little time', async () => {
    const once = await countStatements(app, health);
    const published = new Date(app.ctx.clock.now().getTime() - 60_000);
    await insertEpisodes(app, show.id, 450, published);
    expect(await countStatements(app, health)).toBe(once + 2);
    const silent = (await found()).get('episode_audio');
    expect(silent).toMatchObject({ count: 450 });
    expect(new Set(silent?.first.map(({ id }) => id)).size).toBe(20);
    await query('delete from episodes where podcast_id = $1 and episode_number > 90', [show.id]);
    await query("update episodes set description = repeat('é', 100000) where podcast_id = $1", [
      show.id,
    ]);
    expect(await countStatements(app, health)).toBe(once + 4);
    expect((await found()).get('episode_description_length')).toMatchObject({ count: 90 });
  });

  it('the health of a show is shown to members who see every episode', async () => {
    expect((await (await memberWith('analyst')).get(`${url}/health`)).statusCode).toBe(200);
    expect((await (await memberWith('cohost')).get(`${url}/health`)).statusCode).toBe(403);
    const stranger = await openSignedIn(app, await makeUser(app.ctx));
    expect((await stranger.get(`${url}/health`)).statusCode).toBe(404);
  });
});

describe('the directories of a show', () => {
  const apple = 'https://podcasts.apple.com/de/podcast/night/id123';
  const put = (directories: object[], as = browser, headers: Record<string, string> = any) =>
    as.send('PUT', `${url}/directories`, { directories }, headers);
  const read = async () => (await browser.get(`${url}/directories`)).json().data;

  it('the directories of a show are all to do at first, and explain how to submit a show', async () => {
    const { directories, revision } = await read();
    expect(revision).toBe(1);
    expect(directories.length).toBeGreaterThan(9);
    expect(directories[0]).toMatchObject({
      directory: 'apple_podcasts',
      name: 'Apple Podcasts',
      status: 'todo',
      url: null,
      hosts: ['podcasts.apple.com', 'itunes.apple.com'],
    });
  });

  it('the directories of a show that list the show are on its listen page', async () => {
    const listen = async () => (await createBrowser(app).get(`/listen/${show.slug}`)).body;
    expect(await listen()).toContain('href="podcast:');
    const saved = await put([
      { directory: 'apple_podcasts', status: 'listed', url: apple },
      { directory: 'spotify', status: 'submitted', url: null },
      { directory: 'deezer', status: 'submitted', url: 'https://www.deezer.com/show/1' },
      { directory: 'castbox', status: 'todo', url: null },
    ]);
    expect(saved.headers['etag']).toBe('"2"');
    const saves = saved.json().data.directories as { directory: string; status: string }[];
    const statuses = Object.fromEntries(saves.map((one) => [one.directory, one.status]));
    expect(statuses).toMatchObject({
      apple_podcasts: 'listed',
      spotify: 'submitted',
      deezer: 'submitted',
      castbox: 'todo',
    });
    const page = await listen();
    expect(page).toContain(`href="${apple}">Apple Podcasts</a>`);
    expect(page).not.toContain('href="podcast:');
    expect(page).not.toContain('deezer.com');
    await put([]);
    expect(await listen()).not.toContain(apple);
  });

  it('the directories of a show refuse other addresses, roles and revisions', async () => {
    const wrong = await put([
      { directory: 'apple_podcasts', status: 'listed', url: 'https://evil.example/x' },
    ]);
    expect(wrong.json().error.details).toMatchObject([{ field: 'directories[0].url' }]);
    expect((await put([], await memberWith('editor'))).statusCode).toBe(403);
    expect((await put([], browser, { 'if-match': '"9"' })).statusCode).toBe(412);
    expect((await put([], browser, {})).statusCode).toBe(428);
  });
});

// NOTIFY-10
describe('the notifications of a feed', () => {
  const read = async (as = browser) => (await as.get(`${url}/feed-notifications`)).json().data;

  it('shows each channel in use, also before it was told anything', async () => {
    expect(await read()).toEqual({
      channels: [
        {
          ...{ channel: 'podcast_index', url: null, is_told: false },
          ...{ told_at: null, sent_at: null, last_status: null, last_error: null, next_at: null },
        },
      ],
      subscribers: { count: 0, failing: 0 },
    });
  });

  it('shows the last request, its result and the next one', async () => {
    await query(
      `insert into feed_notifications (podcast_id, channel, told_at, sent_at, due_at, last_status,
         last_error, failures)
       values ($1, 'podcast_index', '2026-03-01T10:00:00Z', '2026-03-02T10:00:00Z',
         '2026-03-02T10:05:00Z', 503, '503', 2)`,
      [show.id],
    );
    await query(
      `insert into hub_subscriptions (podcast_id, callback_hash, callback, host, created_at,
         expires_at, failures)
       select $1, sha256(n::text::bytea), 'https://a.test/' || n, 'a.test', now(),
         $2::timestamptz + n * interval '1 day', greatest(n, 0) from generate_series(-1, 2) n`,
      [show.id, app.clock.now()],
    );
    expect(await read()).toMatchObject({
      channels: [
        {
          told_at: '2026-03-01T10:00:00.000Z',
          sent_at: '2026-03-02T10:00:00.000Z',
          next_at: '2026-03-02T10:05:00.000Z',
          last_status: 503,
          last_error: '503',
        },
      ],
      subscribers: { count: 2, failing: 2 },
    });
  });

  it('the notifications of a feed are for members alone', async () => {
    const analyst = await memberWith('analyst');
    expect((await analyst.get(`${url}/feed-notifications`)).statusCode).toBe(
      (await analyst.get(`${url}/directories`)).statusCode,
    );
    const other = await openSignedIn(app, await makeUser(app.ctx));
    expect((await other.get(`${url}/feed-notifications`)).statusCode).toBe(404);
  });
});
