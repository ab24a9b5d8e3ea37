import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReadingContext } from '../../../../../test/create-reading-context.ts';
import { longestTaskMs } from '../../../../../test/watch-event-loop.ts';
import { readNamedChapters, readTranscript } from './named-files.ts';

// The target is 50 ms; other tests run at the same time.
const limitMs = 150;
const cues = 60_000;

const ctx = createReadingContext();
afterAll(() => ctx[Symbol.asyncDispose]());
const folder = { path: '' };
beforeAll(async () => {
  folder.path = await mkdtemp(join(tmpdir(), 'podstead-texts-'));
  const seconds = (at: number) => `${new Date(at * 1000).toISOString().slice(11, 19)}.000`;
  const parts = Array.from(
    { length: cues },
    (_, at) => `${seconds(at)} --> ${seconds(at + 1)}\n<v Ana>Words &amp; more of ${at}\n`,
  );
  await writeFile(join(folder.path, 'long.vtt'), `WEBVTT\n\n${parts.join('\n')}`);
  const chapters = [{ startTime: 0, title: 'Start' }];
  const filler = ' '.repeat(500_000);
  await writeFile(join(folder.path, 'c.json'), JSON.stringify({ chapters }) + filler);
  await writeFile(join(folder.path, 'none.json'), `[${filler}`);
});
afterAll(() => rm(folder.path, { recursive: true, force: true }));

it('a long transcript is parsed without blocking requests', async () => {
  const readLong = () => readTranscript(ctx, folder, { file: 'long.vtt' }, 'en');
  expect(await longestTaskMs(readLong, limitMs)).toBeLessThan(limitMs);
  const transcript = await readLong();
  expect(transcript.segments).toHaveLength(cues);
  expect(transcript).toMatchObject({ language: 'en', wordCount: cues * 5 });
});

it('large chapters are parsed and refused like small ones', async () => {
  expect(await readNamedChapters(ctx, folder, { file: 'c.json' })).toMatchObject({
    chapters: [{ title: 'Start' }],
  });
  await expect(readNamedChapters(ctx, folder, { file: 'none.json' })).rejects.toMatchObject({
    name: 'ChaptersError',
  });
});
