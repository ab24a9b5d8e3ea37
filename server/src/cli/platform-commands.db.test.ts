import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../../test/make.ts';
import { makePipe } from '../../test/make-pipe.ts';
import { runCommand } from '../../test/run-command.ts';
import type { Podcast } from '../domain/publishing/podcasts/index.ts';

let app: TestApp;
let folder: string;
let podcast: Podcast;

beforeAll(async () => {
  app = await createTestApp();
  folder = await mkdtemp(join(tmpdir(), 'podstead-cli-'));
  // The operator may import figures even if the plan does not include that.
  podcast = await makePodcast(app.ctx, { owner: await makeUser(app.ctx, 'free') });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const run = (...argv: string[]) =>
  runCommand(app, ['platforms', 'import', ...argv], { cwd: folder });

// CLI-24
it('imports a file and prints the result', async () => {
  await makeEpisode(app.ctx, podcast, { title: 'One' });
  const text = 'name;plays;streams;audience_size;releaseDate\nOne;1;1;1;\n"Two; or\nmore";1;1;1;\n';
  await writeFile(join(folder, 'spotify.csv'), Buffer.from(`\uFEFF${text}`, 'utf16le'));
  const imported = await run(podcast.slug, '--source', 'spotify', 'spotify.csv');
  expect(imported).toMatchObject({ code: 0 });
  expect(imported.json).toEqual({
    podcast_id: podcast.id,
    source: 'spotify',
    imported_at: app.clock.now().toISOString(),
    rows: 2,
    matched: 1,
    unmatched: ['Two; or more'],
  });
});

it('says which import it has replaced', async () => {
  const show = await makePodcast(app.ctx);
  await writeFile(join(folder, 'apple.csv'), 'Date,Followers\n2026-03-01,9\n');
  await writeFile(join(folder, 'episodes.csv'), 'Episode Title,Plays\nOne,41\n');
  const first = await run(show.slug, '--source', 'apple', 'apple.csv');
  expect(first).toMatchObject({ code: 0, said: '' });
  app.clock.advance(60_000);
  const second = await run(show.slug, '--source', 'apple', 'episodes.csv');
  expect(second.said).toBe(
    'This replaced the figures imported from apple at 2026-03-10T12:00:00.000Z ' +
      '(figures through 2026-03-01).\n',
  );
  expect(Object.keys(second.json)).toEqual(Object.keys(first.json));
  app.clock.advance(60_000);
  const third = await run(show.slug, '--source', 'apple', 'apple.csv');
  expect(third.said).toBe(
    'This replaced the figures imported from apple at 2026-03-10T12:01:00.000Z.\n',
  );
});

// CLI-3
it('reports a refusal in one line', async () => {
  await writeFile(join(folder, 'other.csv'), 'a,b\n1,2\n');
  const other = await run(podcast.id, '--source', 'apple', 'other.csv');
  expect(other).toMatchObject({ code: 1, json: undefined });
  expect(other.said).toMatch(/^file: This is not a CSV export of Apple .* Found: "a", "b"\.\n$/);
  const missing = await run(podcast.slug, '--source', 'apple', 'nowhere.csv');
  expect(missing).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^There is no file .*\n$/),
  });
  makePipe(join(folder, 'pipe'));
  const pipe = await run(podcast.slug, '--source', 'apple', 'pipe');
  expect(pipe).toMatchObject({ code: 1, said: expect.stringContaining('but a named pipe.\n') });
  const unknown = await run('no-such-show', '--source', 'apple', 'nowhere.csv');
  expect(unknown.code).toBe(1);
  expect((await run(podcast.slug, 'other.csv')).code).toBe(2);
  expect((await run(podcast.slug, '--source', 'deezer', 'other.csv')).code).toBe(2);
});
