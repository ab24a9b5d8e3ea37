import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { attachTone } from '../../../src/domain/publishing/audio/index.ts';
import { type Episode, updateEpisode } from '../../../src/domain/publishing/episodes/index.ts';
import { attachImage } from '../../../src/domain/publishing/images/index.ts';
import { addPerson, setCredits } from '../../../src/domain/publishing/people/index.ts';
import { addMember, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { setChapters, setTranscript } from '../../../src/domain/publishing/transcripts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { pictureBytes } from '../../hosts/podcast-host.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let owner: User;
let podcast: Podcast;
let episode: Episode;
let browser: Browser;
let members = 0;

beforeAll(async () => {
  app = await createTestApp();
  owner = await makeUser(app.ctx);
  browser = createBrowser(app);
  await browser.signIn(owner.email);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  podcast = await makePodcast(app.ctx, { owner });
  episode = await makeEpisode(app.ctx, podcast, { status: 'draft', title: 'First', slug: 'first' });
});

const urlOf = ({ id } = episode) => `/app/api/episodes/${id}`;
const read = async (url = urlOf(), as = browser) => (await as.get(url)).json().data;
const patch = (body: object, ifMatch = '*', as = browser) =>
  as.send('PATCH', urlOf(), body, { 'if-match': ifMatch });

async function makeMember(role: 'editor' | 'analyst' | 'cohost' | 'custom', more: object = {}) {
  const user = await makeUser(app.ctx);
  await addMember(app.ctx, { podcastId: podcast.id, userId: user.id, role, ...more });
  members += 1;
  const own = createBrowser(app, { address: `203.0.113.${members}` });
  await own.signIn(user.email);
  return { user, browser: own };
}

async function makeCohost() {
  const cohost = await makeMember('cohost');
  const person = { podcastId: podcast.id, name: 'Co', userId: cohost.user.id };
  const { id } = await addPerson(app.ctx, person);
  await setCredits(app.ctx, episode.id, [{ personId: id }]);
  return cohost.browser;
}

const transcript = {
  language: 'en',
  segments: [{ startMs: 0, endMs: 1000, speaker: '', text: 'Hello' }],
  wordCount: 1,
  durationMs: 1000,
};

describe('an episode', () => {
  it('an episode is made as a draft from its title', async () => {
    const url = `/app/api/podcasts/${podcast.id}/episodes`;
    const made = await browser.send('POST', url, { title: 'Überraschung: Teil 2' });
    expect([made.statusCode, made.headers['etag']]).toEqual([201, '"1"']);
    const { data } = made.json();
    expect(data).toMatchObject({ status: 'draft', slug: 'uberraschung-teil-2', description: '' });
    expect((await browser.send('POST', url, { title: 'First' })).json().data.slug).toBe('first-2');
    expect((await browser.send('POST', url, { title: '日本語' })).statusCode).toBe(201);
    const taken = await browser.send('POST', url, { title: 'New', slug: 'first' });
    expect(taken.json().error.details[0]).toMatchObject({ field: 'slug', reason: 'slug_taken' });
    const wrong = await browser.send('POST', url, { title: ' ', slug: 'No Slug' });
    const fields = wrong.json().error.details.map(({ field }: { field: string }) => field);
    expect([wrong.statusCode, fields.sort()]).toEqual([400, ['slug', 'title']]);
  });

  it('an episode is read with all that its members edit', async () => {
    await attachTone(app.ctx, episode.id, 2);
    await setTranscript(app.ctx, episode.id, transcript);
    await setChapters(app.ctx, episode.id, [{ startMs: 0, title: 'Start' }]);
    const response = await browser.get(urlOf());
    expect(response.headers['etag']).toBe('"4"');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json().data).toEqual({
      id: episode.id,
      ...{ txt: [], location: [], license: [], social_interact: [], soundbite: [], funding: [] },
      ...{ value: [], image: [] },
      podcast_id: podcast.id,
      slug: 'first',
      title: 'First',
      subtitle: null,
      description: 'First',
      show_notes_html: null,
      season: null,
      season_name: null,
      episode_number: 1,
      number_given: false,
      episode_display: null,
      episode_type: 'full',
      explicit: false,
      ai_content: null,
      itunes_title: null,
      itunes_block: false,
      link_url: null,
      share_transcript_with_cohosts: false,
      publish_transcript: false,
      guid: episode.id,
      status: 'draft',
      published_at: null,
      scheduled_for: null,
      intended_published_at: null,
      created_at: '2026-03-10T12:00:00.000Z',
      updated_at: '2026-03-10T12:00:00.000Z',
      revision: 4,
      artwork: null,
      audio: {
        content_type: 'audio/mpeg',
        size_bytes: expect.any(Number),
        duration_seconds: expect.closeTo(2, 0),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        is_external: false,
        file_url: `/app/api/episodes/${episode.id}/audio/file`,
      },
      waveform: 'pending',
      links: {
        listen: `http://test.local/listen/${podcast.slug}/first`,
        embed: expect.stringContaining(`/ep/${episode.id}`),
        player_script: expect.stringMatching(/\/player\/v1\.js$/),
        feed: `http://test.local/feeds/${podcast.slug}.xml`,
        media: `http://test.local/media/${episode.id}/first.mp3`,
      },
      transcript: { language: 'en', segment_count: 1 },
      has_transcript: true,
      chapter_count: 1,
      may: {
        edit: true,
        set_audio: true,
        remove_audio: true,
        publish: true,
        delete: true,
        people: true,
        transcript: true,
        read_transcript: true,
      },
      may_become: ['scheduled', 'published', 'archived'],
      to_confirm: [],
    });
  });

  it('accepts any subset of its fields', async () => {
    const fields = {
      slug: 'second',
      title: 'Second',
      subtitle: 'Sub',
      description: 'Text',
      show_notes_html: '<p>Notes<script>x</script></p>',
      season: 2,
      season_name: 'Summer',
      episode_number: 5,
      episode_display: 'five',
      episode_type: 'bonus',
      explicit: true,
      itunes_title: 'Short',
      itunes_block: true,
      link_url: 'https://example.com/5',
      share_transcript_with_cohosts: true,
      publish_transcript: true,
    };
    const written = await patch(fields, '"1"');
    const stored = { ...fields, show_notes_html: '<p>Notes</p>', number_given: true, revision: 2 };
    expect([written.statusCode, written.headers['etag']]).toEqual([200, '"2"']);
    expect(written.json().data).toMatchObject(stored);
    expect(await read()).toMatchObject(stored);
    const cleared = await patch({ season: null, episode_number: null, itunes_title: null }, '"2"');
    expect(cleared.json().data).toMatchObject({
      season: null,
      episode_number: 5,
      number_given: false,
      itunes_title: null,
      title: 'Second',
      revision: 3,
    });
  });

  it('an episode is not changed by values that it has already', async () => {
    const before = await read();
    app.clock.advance?.(60_000);
    const { title, description, season, explicit } = before;
    const written = await patch({ title, description, season, explicit }, '"1"');
    expect(written.json().data).toEqual(before);
    expect((await patch({}, '"1"')).json().data).toEqual(before);
    expect((await patch({ title }, '"2"')).statusCode).toBe(412);
  });

  it('an episode names every wrong field, and then changes nothing', async () => {
    const response = await patch({
      title: ' ',
      slug: 'Not a slug',
      season: -1,
      episode_number: 1.5,
      episode_type: 'film',
      link_url: 'javascript:alert(1)',
      subtitle: 'x'.repeat(1001),
    });
    expect(response.statusCode).toBe(400);
    const fields = response.json().error.details.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(
      ['title', 'slug', 'season', 'episode_number', 'episode_type', 'link_url', 'subtitle'].sort(),
    );
    expect((await patch({ episode_number: 2_000_000 })).json().error.details[0].field).toBe(
      'episode_number',
    );
    expect((await read()).revision).toBe(1);
  });

  it('an episode says who has changed which fields since', async () => {
    const editor = await makeMember('editor');
    await patch({ title: 'Theirs', season: 3 }, '"1"', editor.browser);
    const late = await patch({ title: 'Mine' }, '"1"');
    expect([late.statusCode, late.headers['etag']]).toEqual([412, '"2"']);
    const { details } = late.json().error;
    expect(details.map(({ field }: { field: string }) => field).sort()).toEqual([
      'season',
      'title',
    ]);
    expect(details[0].changed_by).toBe(editor.user.name);
    expect((await read()).title).toBe('Theirs');
  });

  it('an episode is deleted, if nobody has changed it', async () => {
    await patch({ title: 'New' });
    const remove = (ifMatch: string) =>
      browser.send('DELETE', urlOf(), undefined, { 'if-match': ifMatch });
    expect((await remove('"1"')).statusCode).toBe(412);
    expect((await remove('"2"')).statusCode).toBe(204);
    expect((await browser.get(urlOf())).statusCode).toBe(404);
    expect((await remove('*')).statusCode).toBe(404);
  });

  it('an episode is scheduled at a time with its zone', async () => {
    const confirm = ['without_audio'];
    const schedule = (at: string) =>
      browser.send(
        'POST',
        `${urlOf()}/schedule`,
        { scheduled_for: at, confirm },
        { 'if-match': '*' },
      );
    for (const at of ['2026-03-29T02:30:00', 'tomorrow', '2026-02-30T00:00:00Z', '']) {
      expect((await schedule(at)).json().error.details[0].field, at).toBe('scheduled_for');
    }
    // The offset distinguishes the hour that is repeated when summer time ends.
    for (const [at, utc] of [
      ['2026-10-25T02:30:00+02:00', '2026-10-25T00:30:00.000Z'],
      ['2026-10-25T02:30:00+01:00', '2026-10-25T01:30:00.000Z'],
    ]) {
      expect((await schedule(at ?? '')).json().data).toMatchObject({
        status: 'scheduled',
        scheduled_for: utc,
      });
    }
  });

  it('an episode is not published in the future', async () => {
    const confirm = ['without_audio'];
    const publish = (at: string) =>
      browser.send(
        'POST',
        `${urlOf()}/publish`,
        { published_at: at, confirm },
        { 'if-match': '*' },
      );
    const soon = new Date(app.clock.now().getTime() + 1000);
    expect((await publish(soon.toISOString())).statusCode).toBe(400);
    expect((await publish('2026-03-01T00:00:00Z')).json().data.published_at).toBe(
      '2026-03-01T00:00:00.000Z',
    );
  });

  it('an episode is copied with its texts, picture and people', async () => {
    await patch({ title: 'x'.repeat(500), show_notes_html: '<p>Notes</p>', season: 4 });
    await patch({ episode_number: 77, link_url: 'https://example.com/' });
    const { id } = await addPerson(app.ctx, { podcastId: podcast.id, name: 'Ada' });
    await setCredits(app.ctx, episode.id, [{ personId: id, role: 'guest' }]);
    await attachTone(app.ctx, episode.id, 1);
    await setTranscript(app.ctx, episode.id, transcript);
    const copied = await browser.send('POST', `${urlOf()}/duplicate`, {});
    expect(copied.statusCode).toBe(201);
    const { data } = copied.json();
    expect(data.id).not.toBe(episode.id);
    expect(data).toMatchObject({
      status: 'draft',
      show_notes_html: '<p>Notes</p>',
      season: 4,
      number_given: false,
      link_url: null,
      audio: null,
      transcript: null,
      revision: 1,
      guid: data.id,
    });
    expect(data.title).toMatch(/^x+… \(copy\)$/);
    expect(data.title).toHaveLength(500);
    const { people } = await read(`/app/api/episodes/${data.id}/people`);
    expect(people).toMatchObject([{ name: 'Ada', role: 'guest' }]);
  });
});

describe('a role', () => {
  it('a role of an analyst reads the episode without its transcript, and changes nothing', async () => {
    const { browser: analyst } = await makeMember('analyst');
    await setTranscript(app.ctx, episode.id, transcript);
    const data = await read(urlOf(), analyst);
    expect(data.may).toEqual({
      edit: false,
      set_audio: false,
      remove_audio: false,
      publish: false,
      delete: false,
      people: false,
      transcript: false,
      read_transcript: false,
    });
    expect([data.transcript, data.has_transcript]).toEqual([null, true]);
    const write = { 'if-match': '*' };
    for (const [method, path, body] of [
      ['PATCH', '', { title: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/publish', {}],
      ['POST', '/duplicate', {}],
      ['PUT', '/people', { people: [] }],
      ['PUT', '/chapters', { chapters: [] }],
      ['PATCH', '/transcript', { changes: [{ index: 0, text: 'x' }] }],
      ['DELETE', '/transcript', undefined],
    ] as const) {
      const response = await analyst.send(method, urlOf() + path, body, write);
      expect([response.statusCode, method, path]).toEqual([403, method, path]);
    }
    const url = `/app/api/podcasts/${podcast.id}/episodes`;
    expect((await analyst.send('POST', url, { title: 'x' })).statusCode).toBe(403);
    expect((await analyst.get(`${urlOf()}/transcript`)).statusCode).toBe(403);
  });

  it('a role of a co-host edits the texts of credited episodes', async () => {
    const cohost = await makeCohost();
    expect((await patch({ title: 'Ours' }, '*', cohost)).statusCode).toBe(200);
    expect((await patch({ publish_transcript: false }, '*', cohost)).statusCode).toBe(200);
    for (const field of ['publish_transcript', 'share_transcript_with_cohosts']) {
      expect((await patch({ [field]: true }, '*', cohost)).statusCode).toBe(403);
    }
    expect((await read(urlOf(), cohost)).may).toMatchObject({ edit: true, publish: false });
    const other = await makeEpisode(app.ctx, podcast);
    expect((await cohost.get(urlOf(other))).statusCode).toBe(404);
    const denied = await cohost.send('PATCH', urlOf(other), { title: 'x' }, { 'if-match': '*' });
    expect(denied.statusCode).toBe(404);
  });

  it('a role without publishing edits and does not publish', async () => {
    const { browser: writer } = await makeMember('custom', {
      roleName: 'Writer',
      capabilities: ['episodes.view_all', 'episodes.edit', 'episodes.create'],
    });
    expect((await patch({ title: 'x' }, '*', writer)).statusCode).toBe(200);
    for (const step of ['publish', 'unpublish', 'archive']) {
      const response = await writer.send('POST', `${urlOf()}/${step}`, {}, { 'if-match': '*' });
      expect([response.statusCode, step]).toEqual([403, step]);
    }
    const copy = await writer.send('POST', `${urlOf()}/duplicate`, {});
    expect(copy.statusCode).toBe(201);
  });
});

describe('a role that makes episodes', () => {
  it('copies one with its picture, without the permission to edit', async () => {
    const { browser: maker } = await makeMember('custom', {
      roleName: 'Maker',
      capabilities: ['episodes.view_all', 'episodes.create'],
    });
    const bytes = await pictureBytes('#336699');
    const { id: artworkId } = await attachImage(app.ctx, { podcastId: podcast.id, bytes });
    await updateEpisode(app.ctx, episode.id, { artworkId });
    const copy = await maker.send('POST', `${urlOf()}/duplicate`, {});
    expect(copy.statusCode).toBe(201);
    expect(copy.json().data.artwork.id).toBe(artworkId);
  });

  it('makes none if it does not see any', async () => {
    const { browser: blind, user } = await makeMember('custom', {
      roleName: 'Maker',
      capabilities: ['episodes.create'],
    });
    const person = { podcastId: podcast.id, name: 'Blind', userId: user.id };
    const { id } = await addPerson(app.ctx, person);
    await setCredits(app.ctx, episode.id, [{ personId: id }]);
    const url = `/app/api/podcasts/${podcast.id}/episodes`;
    expect((await blind.send('POST', url, { title: 'x' })).statusCode).toBe(403);
    expect((await blind.send('POST', `${urlOf()}/duplicate`, {})).statusCode).toBe(403);
    expect((await browser.get(url)).json().data).toHaveLength(1);
    const settings = await read(`/app/api/podcasts/${podcast.id}`, blind);
    expect(settings.may.create_episodes).toBe(false);
  });
});
