import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readForeignPart } from '../../src/domain/foundation/read-foreign.ts';
import {
  attachAudioFile,
  attachTone,
  readFileChapters,
  storeTone,
  takeFileChapters,
} from '../../src/domain/publishing/audio/index.ts';
import { prepareImage } from '../../src/domain/publishing/images/index.ts';
import {
  proposeReplacement,
  reviewReplacement,
} from '../../src/domain/publishing/replacements/index.ts';
import { formatVtt, TextReader } from '../../src/domain/publishing/transcripts/index.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { toneBytes, writeTestFeed } from '../hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../import-fixture.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { chapteredFiles } from '../make-chapters.ts';
import {
  emptySegments,
  manyLinks,
  manyScans,
  nestedFrames,
  openTags,
} from '../make-hostile-files.ts';
import { onReferenceMachine } from '../reference-machine.ts';
import { type EventLoopWatch, longestTaskMs, watchEventLoop } from '../watch-event-loop.ts';

// Files that are made to end or to block the process that reads them.

const MB = 1024 * 1024;
/**
 * Parsed in this process, these files would block it for seconds. Collecting what the tests themselves
 * have made may take 200 ms on a busy machine.
 */
const mostMs = 400;
let app: TestApp;
let eventLoop: EventLoopWatch;
const opened = new AsyncDisposableStack();
beforeAll(async () => {
  app = opened.use(await createTestApp());
  eventLoop = opened.use(watchEventLoop());
});
afterAll(() => opened.disposeAsync());

const asUser = (userId: string) => ({ ...app.ctx, onBehalfOf: userId });
const smallPicture = () =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();

describe('a hostile file is refused, and blocks nothing', () => {
  it.each([
    ['a JSON transcript of empty segments', 'too_many_segments', emptySegments],
    ['a WebVTT transcript of tags that never end', 'too_many_segments', openTags],
    ['a transcript of &', 'too_large', () => Buffer.from('&'.repeat(10 * MB))],
  ])('%s', async (_, reason, make) => {
    const bytes = make();
    eventLoop.restart();
    const refused = new TextReader(asUser('ana')).transcript(bytes, undefined);
    await expect(refused).rejects.toMatchObject({ name: 'TranscriptError', reason });
    expect(onReferenceMachine(eventLoop.longestMs)).toBeLessThan(mostMs);
  });

  it('a JPEG of thousands of scans', async () => {
    const bytes = await manyScans(600, 6_000);
    eventLoop.restart();
    const refused = prepareImage(asUser('ana'), bytes);
    await expect(refused).rejects.toMatchObject({ name: 'ImageError', reason: 'too_complex' });
    expect(onReferenceMachine(eventLoop.longestMs)).toBeLessThan(mostMs);
    // Ordinary pictures have about ten.
    const honest = await manyScans(600, 1);
    expect(await prepareImage(asUser('ana'), honest)).toMatchObject({ width: 600 });
  });

  it('chapters that contain thousands of empty frames each', async () => {
    const { id } = await makeEpisode(app.ctx, await makePodcast(app.ctx));
    const path = join(app.ctx.blobs.scratchDir, 'frames.mp3');
    await writeFile(path, Buffer.concat([nestedFrames(160, 9_990), await toneBytes(1)]));
    await attachAudioFile(app.ctx, id, { path });
    const read = () => Promise.all(Array.from({ length: 8 }, () => readFileChapters(app.ctx, id)));
    // Reading them here took 300 ms for each of the eight, on a fast machine.
    expect(await longestTaskMs(read, 280)).toBeLessThan(280);
  });

  it.each(['flac', 'opus', 'm4a'] as const)('a thousand chapters of links in %s', async (kind) => {
    const { id } = await makeEpisode(app.ctx, await makePodcast(app.ctx));
    const path = join(app.ctx.blobs.scratchDir, `links.${kind}`);
    await writeFile(path, chapteredFiles[kind](manyLinks(1000)));
    await attachAudioFile(app.ctx, id, { path });
    expect(await readFileChapters(app.ctx, id)).toHaveLength(1000);
    // Reading FLAC here took 400 ms, on a fast machine.
    expect(await longestTaskMs(() => readFileChapters(app.ctx, id), 150)).toBeLessThan(150);
    expect(await longestTaskMs(() => takeFileChapters(app.ctx, id), 150)).toBeLessThan(150);
  });

  it('recordings that are too long to be compared', async () => {
    const { id } = await makeEpisode(app.ctx, await makePodcast(app.ctx));
    await attachTone(app.ctx, id, 1);
    const stored = await storeTone(app.ctx, 1);
    const facts = { ...stored.facts, durationMs: 24 * 3_600_000 };
    await proposeReplacement(app.ctx, id, { ...stored, facts });
    expect(await reviewReplacement(app.ctx, id)).toMatchObject({ state: 'incomparable' });
  });
});

describe('what is read while a process is busy', () => {
  const module = new URL('../programs/child-tasks.ts', import.meta.url);
  const limits = { memoryMb: 512, cpuMs: 600_000, wallMs: 600_000, resultBytes: MB };
  const refuse = () => new Error('refused');

  it("another user's picture does not wait", async () => {
    const stop = new AbortController();
    const { signal } = stop;
    const job = { module, task: 'loop', limits, refuse, signal };
    const busy = Array.from({ length: 20 }, () =>
      readForeignPart(asUser('ana'), job).catch((error: Error) => error.message),
    );
    eventLoop.restart();
    expect(await prepareImage(asUser('bo'), await smallPicture())).toMatchObject({ width: 300 });
    expect(await app.request({ url: '/healthz' })).toMatchObject({ statusCode: 200 });
    expect(onReferenceMachine(eventLoop.longestMs)).toBeLessThan(mostMs);
    stop.abort(new Error('enough'));
    expect(new Set(await Promise.all(busy))).toEqual(new Set(['enough']));
  });

  it('a file that is read while a process is busy is refused where that process has ended', async () => {
    const job = { module, task: 'hoardInNativeCode', limits, refuse };
    await expect(readForeignPart(app.ctx, job)).rejects.toThrow('refused');
    const crash = { ...job, task: 'crash' };
    await expect(readForeignPart(app.ctx, crash)).rejects.toThrow('refused');
    expect(await prepareImage(app.ctx, await smallPicture())).toMatchObject({ width: 300 });
  });
});

describe('an import with hostile transcripts', () => {
  let fixture: ImportFixture;
  beforeAll(async () => {
    fixture = opened.use(await openImportFixture());
  });

  it('imports the rest, and says why they are missing', async () => {
    const { host } = fixture;
    host.serve('/1.json', emptySegments(), 'application/json');
    host.serve('/2.vtt', openTags(), 'text/vtt');
    host.serve('/3.json', Buffer.from('[{"start":1,"body":"Hello you"}]'), 'application/json');
    host.serve('/a.mp3', await toneBytes(1), 'audio/mpeg');
    const items = ['1.json', '2.vtt', '3.json'].map((name, at) => ({
      guid: `${at}`,
      audio: `${host.url}/a.mp3`,
      title: `Episode ${at}`,
      xml: `<podcast:transcript url="${host.url}/${name}" type="${name.endsWith('vtt') ? 'text/vtt' : 'application/json'}"/>`,
    }));
    host.serve('/feed.xml', writeTestFeed({ items }), 'application/rss+xml');
    const report = await fixture.run();
    expect(report).toMatchObject({ created: 3, failed: 0 });
    const refused = report.warnings.filter(({ reason }) => reason === 'too_many_segments');
    expect(refused.map(({ guid }) => guid).sort()).toEqual(['0', '1']);
  });
});

it('captions of one long text are written in parts', async () => {
  const segment = { startMs: 0, endMs: 1000, speaker: '', text: 'a & b '.repeat(500_000) };
  eventLoop.restart();
  const vtt = await formatVtt([segment]);
  expect(onReferenceMachine(eventLoop.longestMs)).toBeLessThan(mostMs);
  expect(vtt).toContain('a &amp; b a &amp; b');
  expect(vtt.length).toBeGreaterThan(5_000_000);
});
