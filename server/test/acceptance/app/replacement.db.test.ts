import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Episode } from '../../../src/domain/publishing/episodes/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { alignReplacementsJob } from '../../../src/domain/publishing/replacements/index.ts';
import {
  parseTranscript,
  setChapters,
  setTranscript,
} from '../../../src/domain/publishing/transcripts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';
import { soundFrameMs, soundFrames } from '../../make-sound.ts';
import { createTusClient, type TusClient } from '../../tus-client.ts';

let app: TestApp;
let browser: Browser;
let client: TusClient;
let user: User;
let show: Podcast;
let episode: Episode;
let people = 0;

const recording = soundFrames(1, 48);
const edited = [...soundFrames(2, 12), ...recording.slice(0, 24_000 / soundFrameMs)];

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  user = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner: user });
  episode = await makeEpisode(app.ctx, show, { status: 'draft' });
  browser = await signIn(user);
  const address = await listening;
  client = createTusClient(
    () => address,
    () => browser.cookie ?? '',
  );
  await send('PUT', '', { upload_id: await upload(recording) }, { 'if-match': '*' });
});

let listening: Promise<string>;
beforeAll(() => {
  listening = app.http.server.listen({ port: 0, host: '127.0.0.1' });
});

async function signIn(who: User): Promise<Browser> {
  people += 1;
  const own = createBrowser(app, { address: `198.51.100.${people}` });
  await own.signIn(who.email);
  return own;
}

async function upload(frames: readonly Buffer[]): Promise<string> {
  const bytes = Buffer.concat(frames);
  const about = { purpose: 'audio', podcast_id: show.id, episode_id: episode.id };
  const begun = await client.create(bytes.length, { ...about, filename: 'a.mp3' });
  const location = String(begun.headers['location']);
  await client.send(location, 0, bytes);
  return location.split('/').at(-1) ?? '';
}

const path = (rest: string) => `/app/api/episodes/${episode.id}/audio${rest}`;
const send = (
  method: 'POST' | 'PUT' | 'DELETE',
  rest: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => browser.send(method, path(rest), body, headers);
const propose = async (frames: readonly Buffer[]) =>
  send('POST', '/replacement', { upload_id: await upload(frames) });
const review = async () => (await browser.get(path('/replacement'))).json().data;
const align = () =>
  alignReplacementsJob.run(
    app.ctx,
    {},
    { signal: new AbortController().signal, enqueue: async () => undefined },
  );
const all = { move_chapters: true, move_transcript: true };

describe('/app/api/episodes/:episodeId/audio/replacement', () => {
  it('shows what moves and what is lost, and accepts it once', async () => {
    await setChapters(app.ctx, episode.id, [
      { startMs: 1000, title: 'One', hidden: true },
      { startMs: 30_000, endMs: 40_000, title: 'Two', linkUrl: 'https://example.com/' },
    ]);
    const text = 'WEBVTT\n\n00:02.000 --> 00:04.000\n<v Ana>One.\n\n00:32.000 --> 00:34.000\nTwo.';
    await setTranscript(app.ctx, episode.id, { language: 'en', ...parseTranscript(text) });
    const proposed = await propose(edited);
    expect(proposed.statusCode).toBe(201);
    expect(proposed.json().data).toMatchObject({ state: 'waiting', alignable: false });
    await align();
    const found = await review();
    expect(found).toMatchObject({
      id: proposed.json().data.id,
      state: 'aligned',
      alignable: true,
      content_type: 'audio/mpeg',
      old_duration_seconds: 48,
      new_duration_seconds: 36,
      segments: [{ old_start: 0, new_start: expect.closeTo(12, 1) }],
      removed: [{ start_seconds: expect.closeTo(24, 1), end_seconds: 48 }],
      added: [{ start_seconds: 0, end_seconds: expect.closeTo(12, 1) }],
      chapters: {
        before: [{ start_seconds: 1 }, { start_seconds: 30, end_seconds: 40 }],
        after: [{ start_seconds: expect.closeTo(13, 1), title: 'One', hidden: true }],
        lost: [{ title: 'Two', link_url: 'https://example.com/' }],
      },
      transcript: {
        ...{ segment_count: 2, moved: 1, shortened: 0, lost_count: 1 },
        lost: [{ start_seconds: 32, end_seconds: 34, text: 'Two.' }],
      },
    });
    const accept = `/replacement/${found.id}/accept`;
    expect((await send('POST', accept, all)).statusCode).toBe(428);
    const late = await send('POST', accept, all, { 'if-match': `"${found.revision - 1}"` });
    expect(late.statusCode).toBe(412);
    const accepted = await send('POST', accept, all, { 'if-match': `"${found.revision}"` });
    expect(accepted.json().data).toEqual({ revision: found.revision + 1 });
    expect(accepted.headers['etag']).toBe(`"${found.revision + 1}"`);
    expect(await review()).toBeNull();
    expect((await send('POST', accept, all, { 'if-match': '*' })).statusCode).toBe(404);
  });

  it('says that another recording does not fit', async () => {
    await propose(soundFrames(5, 48));
    await align();
    const { id, state, alignable, segments } = await review();
    expect([state, alignable, segments]).toEqual(['different', false, []]);
    const accept = `/replacement/${id}/accept`;
    const refused = await send('POST', accept, all, { 'if-match': '*' });
    expect(refused.json().error.details[0]).toMatchObject({ reason: 'not_aligned' });
  });

  it('a replacement is removed with DELETE', async () => {
    const { id } = (await propose(edited)).json().data;
    expect((await send('DELETE', `/replacement/${id}`)).statusCode).toBe(204);
    expect((await send('DELETE', `/replacement/${id}`)).statusCode).toBe(404);
  });

  it('accepts an upload once, and only audio', async () => {
    const body = { upload_id: await upload(edited) };
    expect((await send('POST', '/replacement', body)).statusCode).toBe(201);
    expect((await send('POST', '/replacement', body)).json().error.details[0].reason).toBe('used');
  });

  it('a replacement is not found by users who are not members', async () => {
    await propose(edited);
    browser = await signIn(await makeUser(app.ctx));
    expect((await browser.get(path('/replacement'))).statusCode).toBe(404);
  });
});
