import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach } from 'vitest';
import {
  BackupRepository,
  createBackup,
  restoreBackup,
} from '../src/domain/service/backups/index.ts';
import { openFolderInChild } from '../src/platform/blob-store/folder-in-child.ts';
import { createTestApp, type TestApp } from './create-test-app.ts';

export const backupSecret = randomBytes(32).toString('hex');
let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

/** A folder until the test ends. */
export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'podstead-backups-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A place for backups, which the caller closes. */
export async function openPlace(folder: string): Promise<BackupRepository> {
  const store = await openFolderInChild({ folder, mayBegin: true, spareBytes: undefined });
  if (store === undefined) throw new Error(`${folder} was not created`);
  return new BackupRepository(store);
}

/** A place for backups until the test ends. */
export async function openRepository(folder: string): Promise<BackupRepository> {
  return opened.use(await openPlace(folder));
}

export const backUp = (app: TestApp, repository: BackupRepository, options = {}) =>
  createBackup(app.ctx, repository, (tables) => app.database.openSnapshot(tables), options);

export const restore = (
  app: TestApp,
  repository: BackupRepository,
  snapshot: string,
  options = {},
) =>
  restoreBackup(app.ctx, repository, snapshot, {
    openSession: () => app.database.openLongSession(),
    ...options,
  });

/** All have the same SECRET. */
export const openInstallation = async () =>
  opened.use(await createTestApp({ SECRET: backupSecret }));

/** How it ends, in words. */
export async function codeOf(response: Promise<unknown>): Promise<string> {
  return await response.then(
    () => 'done',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

/** A show with everything that has files, texts and figures. */
export const backedUpSeed = {
  users: [{ ref: 'ana', email: 'ana@example.com', password: 'correct horse', name: 'Ana' }],
  podcasts: [
    {
      ref: 'night',
      owner: 'ana',
      slug: 'night-signals',
      title: 'Night “Signals”\\ \t',
      description: 'Lines\nand \\N, tabs\tand ümlauts 🎙',
      people: [{ ref: 'bo', name: 'Bo Example', role: 'host' }],
      enclosure_prefixes: ['https://op3.dev/e/'],
      ai_training: 'deny',
      page_sections: ['text', 'episodes'],
      page_text: '<p>Our &amp; your “words”\\n</p>',
      page_theme: 'dark',
      confirm_move: true,
      txt: [{ text: '05124', purpose: 'applepodcastsverify', expires: '2090-01-01T00:00:00Z' }],
      location: [{ text: 'Oslo & "Bergen"', geo: 'geo:59.9,10.7' }],
      episodes: [
        {
          ref: 'first',
          slug: 'first-light',
          title: 'First light',
          status: 'published',
          published_at: '2026-03-01T08:00:00Z',
          audio: { tone_seconds: 70 },
          publish_transcript: true,
          transcript: { text: 'WEBVTT\n\n00:00.000 --> 00:02.000\nHello, "night".\n' },
          chapters: {
            text: JSON.stringify({ version: '1.2.0', chapters: [{ startTime: 0, title: 'One' }] }),
          },
        },
        { ref: 'second', slug: 'second', title: 'A draft' },
      ],
    },
  ],
  keys: [{ ref: 'k', user: 'ana', scopes: ['podcasts:read', 'episodes:read'] }],
  downloads: [
    {
      episode: 'night/first',
      at: '2026-03-02T08:00:00Z',
      ip: '203.0.113.7',
      user_agent: 'Overcast/3',
    },
    {
      episode: 'night/first',
      at: '2026-03-09T08:00:00Z',
      ip: '203.0.113.8',
      user_agent: 'Overcast/3',
    },
  ],
};

/** The lines of its list of files: key, hash, bytes. */
export async function readAllFiles(
  repository: BackupRepository,
  snapshot: string,
): Promise<string[][]> {
  const { files } = await repository.readManifest(snapshot);
  const texts = await Promise.all(
    files.parts.map(async ({ sha256 }) =>
      gunzipSync(Buffer.concat(await (await repository.read(sha256)).toArray())).toString(),
    ),
  );
  return texts
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
