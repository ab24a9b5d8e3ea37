import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { rowsPath, showTables } from '../../../src/domain/exchange/exports/index.ts';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { attachTone } from '../../../src/domain/publishing/audio/index.ts';
import { attachImage, setPodcastArtwork } from '../../../src/domain/publishing/images/index.ts';
import { addPerson, setCredits } from '../../../src/domain/publishing/people/index.ts';
import { addMember, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import {
  parseChapters,
  parseTranscript,
  setChapters,
  setFurtherTranscript,
  setTranscript,
} from '../../../src/domain/publishing/transcripts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { pictureBytes } from '../../hosts/podcast-host.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';
import { patience } from '../../patience.ts';

let app: TestApp;
let owner: User;
let show: Podcast;
let browser: Browser;
let people = 0;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner, title: 'Nachtsignale ü' });
  browser = await signedIn(owner);
});

async function signedIn(user: User): Promise<Browser> {
  people += 1;
  const made = createBrowser(app, { address: `192.0.2.${people}` });
  await made.signIn(user.email);
  return made;
}

const ask = (parameters = '', as = browser) =>
  as.get(`/app/api/podcasts/${show.id}/export${parameters}`);

async function filesOf(parameters = '') {
  const response = await ask(parameters);
  expect(response.statusCode).toBe(200);
  const files = unzipSync(new Uint8Array(response.rawPayload));
  const text = (path: string) => strFromU8(files[path] ?? new Uint8Array());
  return { names: Object.keys(files), files, text, json: (path: string) => JSON.parse(text(path)) };
}

const words = 'WEBVTT\n\n00:00.000 --> 00:01.000\n<v Ana>Hello there.\n';

describe('an export', () => {
  it('contains everything of a show, and its audio on request', async () => {
    const episode = await makeEpisode(app.ctx, show, {
      slug: 'first-light',
      showNotesHtml: '<p>Notes</p>',
    });
    await makeEpisode(app.ctx, show, { slug: 'idea', status: 'draft' });
    await attachTone(app.ctx, episode.id, 1);
    const transcript = { ...parseTranscript(words), language: 'en' };
    await setTranscript(app.ctx, episode.id, transcript);
    await setFurtherTranscript(app.ctx, episode.id, { ...transcript, language: 'de' });
    await setChapters(
      app.ctx,
      episode.id,
      parseChapters('{"version":"1.2.0","chapters":[{"startTime":0,"title":"Start"}]}').chapters,
    );
    const person = await addPerson(app.ctx, { podcastId: show.id, name: 'Ana' });
    await setCredits(app.ctx, episode.id, [{ personId: person.id }]);
    const bytes = await pictureBytes('#336699');
    const image = await attachImage(app.ctx, { podcastId: show.id, bytes });
    await setPodcastArtwork(app.ctx, show.id, image.id);

    const { names, files, text, json } = await filesOf('?audio=true');
    expect(names.sort()).toEqual([
      'downloads.json',
      'episodes/first-light/audio.mp3',
      'episodes/first-light/chapters.json',
      'episodes/first-light/episode.json',
      'episodes/first-light/show-notes.html',
      'episodes/first-light/transcript.de.vtt',
      'episodes/first-light/transcript.vtt',
      'episodes/idea/episode.json',
      'feed.xml',
      `images/${image.id}.png`,
      'manifest.json',
      ...Object.keys(showTables).map(rowsPath).sort(),
      'show.json',
    ]);
    expect(json('manifest.json')).toMatchObject({
      ...{ format: 'podstead-show', format_version: 1, podcast_id: show.id, audio: true },
    });
    expect(json('show.json')).toMatchObject({
      id: show.id,
      title: 'Nachtsignale ü',
      people: [{ name: 'Ana' }],
    });
    const described = json('episodes/first-light/episode.json');
    expect(described).toMatchObject({
      id: episode.id,
      status: 'published',
      credits: [{ name: 'Ana', role: 'host', group: 'cast' }],
      audio: { file: 'audio.mp3', content_type: 'audio/mpeg', sha256: expect.any(String) },
    });
    expect(text('episodes/first-light/transcript.vtt')).toContain('Hello there.');
    expect(text('episodes/first-light/show-notes.html')).toBe('<p>Notes</p>');
    expect(text('feed.xml')).toContain('<title>Nachtsignale ü</title>');
    expect(files['episodes/first-light/audio.mp3']?.length).toBe(described.audio.size_bytes);
    expect((await filesOf()).names).not.toContain('episodes/first-light/audio.mp3');
  });

  it('an export is a download that is not cached', async () => {
    const { headers } = await ask();
    expect(headers['content-type']).toBe('application/zip');
    expect(headers['x-accel-buffering']).toBe('no');
    expect(headers['content-disposition']).toBe(
      `attachment; filename="${show.slug}-2026-03-10.zip"`,
    );
    expect(headers['cache-control']).toBe('no-store');
  });

  it('an export keeps every episode of a long show', async () => {
    for (let index = 0; index < 60; index += 1) await makeEpisode(app.ctx, show);
    const { names } = await filesOf();
    expect(names.filter((name) => name.endsWith('episode.json'))).toHaveLength(60);
  });

  it('an export is for those who administer the show', async () => {
    for (const role of ['editor', 'analyst', 'cohost'] as const) {
      const user = await makeUser(app.ctx);
      await addMember(app.ctx, { podcastId: show.id, userId: user.id, role });
      expect((await ask('', await signedIn(user))).statusCode, role).toBe(403);
    }
    const role = { role: 'custom', roleName: 'Settings' } as const;
    const clerk = await makeUser(app.ctx);
    const capabilities = ['show.settings'] as const;
    await addMember(app.ctx, { podcastId: show.id, userId: clerk.id, ...role, capabilities });
    const clerksBrowser = await signedIn(clerk);
    expect((await ask('', clerksBrowser)).statusCode).toBe(403);
    const { may } = (await clerksBrowser.get(`/app/api/podcasts/${show.id}`)).json().data;
    expect([may.edit, may.export]).toEqual([true, false]);
    const admin = await makeUser(app.ctx);
    await addMember(app.ctx, { podcastId: show.id, userId: admin.id, role: 'admin' });
    expect((await ask('', await signedIn(admin))).statusCode).toBe(200);
    expect((await ask('', await signedIn(await makeUser(app.ctx)))).statusCode).toBe(404);
  });

  it('lists missing files', async () => {
    const episode = await makeEpisode(app.ctx, show);
    await attachTone(app.ctx, episode.id, 1);
    const { rows } = await app.database.pool.query(
      'select blob_key as key from audio_files where episode_id = $1',
      [episode.id],
    );
    await app.ctx.blobs.delete(rows[0].key);
    const { names, text } = await filesOf('?audio=true');
    const audio = `episodes/${episode.slug}/audio.mp3`;
    expect(text('missing.txt')).toBe(`${audio}\n`);
    expect(names).not.toContain(audio);
    expect((await filesOf()).names).not.toContain('missing.txt');
  });

  it('fails if a file is damaged, which is logged', async () => {
    const episode = await makeEpisode(app.ctx, show);
    await attachTone(app.ctx, episode.id, 1);
    const { rows } = await app.database.pool.query(
      'select blob_key as key from audio_files where episode_id = $1',
      [episode.id],
    );
    await app.ctx.blobs.put(rows[0].key, Buffer.from('short'), 'audio/mpeg');
    const logged = vi.spyOn(app.ctx.log, 'error');
    await expect(ask('?audio=true')).rejects.toThrow();
    expect(logged).toHaveBeenCalledWith(expect.anything(), 'an export failed');
    logged.mockRestore();
  });

  it('an export is refused while two of the same user are sent, and allowed after them', async () => {
    const episode = await makeEpisode(app.ctx, show);
    await attachTone(app.ctx, episode.id, 1);
    const { promise: mayRead, resolve: goOn } = Promise.withResolvers<void>();
    const { read } = app.ctx.blobs;
    const reading = vi.spyOn(app.ctx.blobs, 'read').mockImplementation(async (...input) => {
      await mayRead;
      return read.apply(app.ctx.blobs, input);
    });
    const both = [ask('?audio=true'), ask('?audio=true')];
    await vi.waitFor(() => expect(reading).toHaveBeenCalledTimes(2), patience);
    const third = await ask();
    expect(third.statusCode).toBe(429);
    expect(third.headers['retry-after']).toBe('60');
    const other = await makeUser(app.ctx);
    const otherShow = await makePodcast(app.ctx, { owner: other });
    const path = `/app/api/podcasts/${otherShow.id}/export`;
    expect((await (await signedIn(other)).get(path)).statusCode).toBe(200);
    goOn();
    expect((await Promise.all(both)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await ask()).statusCode).toBe(200);
    reading.mockRestore();
  });
});
