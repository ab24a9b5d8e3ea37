import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  attachAudioFile,
  attachExternalAudio,
  makeTone,
} from '../../../src/domain/publishing/audio/index.ts';
import type { Episode } from '../../../src/domain/publishing/episodes/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';
import { chapteredFiles } from '../../make-chapters.ts';

let app: TestApp;
let browser: Browser;
let show: Podcast;
let episode: Episode;

beforeAll(async () => {
  app = await createTestApp();
  const owner = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner });
  episode = await makeEpisode(app.ctx, show);
  browser = createBrowser(app);
  await browser.signIn(owner.email);
});
afterAll(() => app[Symbol.asyncDispose]());

const path = ({ id }: Episode) => `/app/api/episodes/${id}/audio/file-chapters`;
const read = async (of = episode) => (await browser.get(path(of))).json().data;

const frame = (id: string, ...parts: readonly Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(id), Buffer.from([0, 0, 0, body.length, 0, 0]), body]);
};
const title = (text: string) => frame('TIT2', Buffer.from([3]), Buffer.from(text));
const chapter = (id: string, seconds: number, ...parts: readonly Buffer[]) => {
  const times = Buffer.alloc(16, 0xff);
  times.writeUInt32BE(seconds * 1000, 0);
  times.writeUInt32BE(seconds * 1000 + 2000, 4);
  return frame('CHAP', Buffer.from(`${id}\0`), times, ...parts);
};

async function attach(...frames: readonly Buffer[]) {
  const tag = Buffer.concat(frames);
  const head = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, tag.length >> 7, tag.length & 0x7f]);
  const tone = Buffer.concat(await makeTone(5).toArray());
  const path = join(app.ctx.blobs.scratchDir, newId());
  await writeFile(path, Buffer.concat([head, tag, tone]));
  await attachAudioFile(app.ctx, episode.id, { path });
}

it('lists the chapters that the audio file states, in order', async () => {
  expect(await read()).toEqual({ chapters: [] });
  await attach(
    chapter('b', 2, title('Two'), frame('APIC', Buffer.from('picture'))),
    chapter('a', 0, title('One')),
    chapter('c', 4),
  );
  const plain = { image_url: null, link_url: null, hidden: false };
  expect(await read()).toEqual({
    chapters: [
      { start_seconds: 0, end_seconds: 2, title: 'One', ...plain, has_image: false },
      { start_seconds: 2, end_seconds: 4, title: 'Two', ...plain, has_image: true },
    ],
  });
});

it.each(['flac', 'opus', 'm4a'] as const)('lists those of %s', async (kind) => {
  const path = join(app.ctx.blobs.scratchDir, newId());
  const chapters = [
    { startMs: 4_500, title: 'Zwei ✓', linkUrl: 'https://example.com/' },
    { startMs: 0, title: ' One ' },
  ];
  await writeFile(path, chapteredFiles[kind](chapters));
  await attachAudioFile(app.ctx, episode.id, { path });
  const plain = { end_seconds: null, image_url: null, hidden: false, has_image: false };
  const link = kind === 'm4a' ? null : 'https://example.com/';
  expect(await read()).toEqual({
    chapters: [
      { ...plain, start_seconds: 0, title: 'One', link_url: null },
      { ...plain, start_seconds: 4.5, title: 'Zwei ✓', link_url: link },
    ],
  });
});

it('file chapters are empty for external audio, and shown only to members', async () => {
  const audio = { url: 'https://cdn.example.com/a.mp3', declaredType: 'audio/mpeg' };
  const remote = await makeEpisode(app.ctx, show);
  await attachExternalAudio(app.ctx, remote.id, { ...audio, sizeBytes: null, durationMs: null });
  expect(await read(remote)).toEqual({ chapters: [] });
  const other = await makeEpisode(app.ctx, await makePodcast(app.ctx));
  expect((await browser.get(path(other))).statusCode).toBe(404);
});
