import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLines } from '../../test/run-command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-export-commands-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const seed = {
  users: [
    { ref: 'ana', email: 'ana@example.com', password: 'correct horse' },
    { ref: 'bo', email: 'bo@example.com', password: 'correct horse' },
  ],
  podcasts: [
    {
      ref: 'night',
      owner: 'ana',
      slug: 'night-signals',
      title: 'Night Signals',
      episodes: [
        {
          ref: 'first',
          slug: 'first',
          title: 'First light',
          status: 'published',
          audio: { tone_seconds: 70 },
        },
      ],
    },
  ],
  downloads: [{ episode: 'first', at: '-1h', ip: '203.0.113.7', user_agent: 'Overcast/3' }],
};

async function run(...commands: readonly (readonly string[])[]) {
  const env = { DATA_DIR: join(folder, 'data'), SECRET: 'a secret of at least thirty-two bytes' };
  const results = [];
  for (const argv of commands) {
    const [ended] = await runCommandLines([argv], { cwd: folder, env });
    if (ended === undefined) expect.unreachable();
    const { code, stdout, stderr } = ended;
    results.push({ code, stderr, json: stdout === '' ? undefined : JSON.parse(stdout) });
  }
  return results;
}

// BACKUP-12, BACKUP-13, BACKUP-14
describe('export and restore', () => {
  it('a show moves to another owner, with its files and downloads', async () => {
    await writeFile(join(folder, 'seed.json'), JSON.stringify(seed));
    const [seeded, exported, again, taken, owned, restored, list] = await run(
      ['--new', 'seed', 'seed.json'],
      ['export', 'night-signals', '--to', 'show'],
      ['export', 'night-signals', '--to', 'show'],
      ['restore', 'show', '--owner', 'bo@example.com'],
      ['restore', 'show', '--owner', 'ana@example.com', '--slug', 'twice'],
      ['restore', 'show', '--owner', 'bo@example.com', '--slug', 'day-signals'],
      ['podcast', 'list'],
    );
    expect(seeded).toMatchObject({ code: 0 });
    expect(exported).toMatchObject({ code: 0, stderr: '', json: { slug: 'night-signals' } });
    expect((await readdir(join(folder, 'show'))).sort()).toEqual([
      ...['downloads.json', 'episodes', 'feed.xml', 'manifest.json', 'rows', 'show.json'],
    ]);
    expect(await readFile(join(folder, 'show/feed.xml'), 'utf8')).toContain('First light');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
    expect(taken).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The option is --slug.'),
    });
    expect(owned).toMatchObject({ code: 1, stderr: expect.stringContaining('same GUID') });
    expect(restored).toEqual({
      code: 0,
      stderr: 'The former slug night-signals is that of another show here, and stays so.\n',
      json: {
        podcast_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ...{ slug: 'day-signals', episodes: 1, files: 1, downloads: 1, differences: [] },
      },
    });
    const shows = list?.json.podcasts as { slug: string; owner: string }[];
    expect(shows.map(({ slug }) => slug)).toEqual(['night-signals', 'day-signals']);
  });

  it('a folder without a complete export is refused', async () => {
    const [missing] = await run(['restore', 'nothing', '--owner', 'bo@example.com']);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('manifest.json') });
  });
});
