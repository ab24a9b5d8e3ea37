import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openPodcastHost,
  type PodcastHost,
  pictureBytes,
  toneBytes,
  writeTestFeed,
} from '../../../../test/hosts/podcast-host.ts';
import { makeUser } from '../../../../test/make.ts';
import { SharedProcesses } from '../../../../test/shared-processes.ts';
import { startTestProgram } from '../../../../test/start-test-program.ts';
import { copyTestDatabase, createTestDatabase } from '../../../../test/test-database.ts';
import { type App, createApp } from '../../../app.ts';
import { loadConfig } from '../../../config/config.ts';
import type { User } from '../../foundation/accounts/index.ts';
import { importFeed, listAbandonedImports, resumeImport } from './index.ts';

const onServer = process.env['TEST_DATABASE'] === 'postgres';
const secret = randomBytes(32).toString('hex');
const opened = new AsyncDisposableStack();
let host: PodcastHost;
let two: Buffer;

beforeAll(async () => {
  host = opened.use(await openPodcastHost());
  two = await toneBytes(60);
  const { url } = host;
  const items = [3, 2, 1].map((number) => ({
    guid: `guid-${number}`,
    title: `Episode ${number}`,
    date: `0${number} Jan 2020 10:00:00 GMT`,
    audio: `${url}/${number}.mp3`,
    xml: `<itunes:image href="${url}/cover.png"/><podcast:person>Ana</podcast:person>
      <podcast:transcript url="${url}/1.vtt" type="text/vtt" language="en"/>
      <podcast:transcript url="${url}/de.vtt" type="text/vtt" language="de"/>`,
  }));
  host.serve('/feed.xml', writeTestFeed({ items }));
});
afterAll(() => opened.disposeAsync());

/** The environment of an installation: with a database of its own, or with one in its folder. */
type Env = Readonly<Record<string, string>> & { readonly DATA_DIR: string };

async function createInstallation(): Promise<Env> {
  const url = onServer ? opened.use(await createTestDatabase()).url : undefined;
  return describeInstallation(await makeFolder(), url);
}

/** As it is when none of its processes runs. */
async function copyInstallation({ DATA_DIR, DATABASE_URL }: Env): Promise<Env> {
  const folder = await makeFolder();
  await cp(DATA_DIR, folder, { recursive: true });
  if (DATABASE_URL === undefined) return describeInstallation(folder, undefined);
  const copy = opened.use(await copyTestDatabase(DATABASE_URL));
  return describeInstallation(folder, copy.url);
}

function describeInstallation(folder: string, url: string | undefined): Env {
  return {
    DATA_DIR: folder,
    SECRET: secret,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'error',
    ...(url === undefined ? {} : { DATABASE_URL: url }),
  };
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'podstead-killed-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The files that the feed names, for an import that is not killed. */
async function serveFiles() {
  host.serve('/cover.png', await pictureBytes('#224466', 300), 'image/png');
  host.serve('/1.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n', 'text/vtt');
  host.serve('/de.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nHallo.\n', 'text/vtt');
  host.serve('/1.mp3', await toneBytes(1), 'audio/mpeg');
  host.serve('/2.mp3', two, 'audio/mpeg');
  host.serve('/3.mp3', await toneBytes(3), 'audio/mpeg');
}

type Kill = (child: ChildProcess) => void;

/** The moments at which the import is killed. */
const moments: Record<string, (kill: () => void) => void> = {
  'the first episode is made': () => undefined,
  'a picture is asked for': (kill) => host.respond('/cover.png', kill),
  'a transcript is asked for': (kill) => host.respond('/1.vtt', kill),
  'its second language is asked for': (kill) => host.respond('/de.vtt', kill),
  'audio is asked for': (kill) => host.respond('/3.mp3', kill),
  'half of an audio file has come': (kill) =>
    host.respond('/2.mp3', (_request, response) => {
      response.writeHead(200, { 'content-length': two.length, etag: '"two"' });
      response.write(two.subarray(0, two.length / 2), () => kill());
    }),
  'the last audio is asked for': (kill) => host.respond('/1.mp3', kill),
};
const ways = ['goes on in another process', 'is done when it is run again'] as const;
/** On the embedded database, whose processes start slowly, each moment has one way. */
const trials = Object.keys(moments).map(
  (moment, index) => [moment, onServer ? ways : [ways[index % 2] ?? ways[0]]] as const,
);
const lastWords: Record<string, string> = { 'the first episode is made': 'episodes 1' };

async function withApp<T>(env: Env, work: (app: App) => Promise<T>): Promise<T> {
  await using processes = new SharedProcesses();
  await using app = await createApp(loadConfig(env), { processes });
  return await work(app);
}

/** Runs the import in a child process until that is killed. */
async function importUntilKilled(env: Env, email: string, moment: string): Promise<void> {
  let child: ChildProcess | undefined;
  const kill: Kill = (victim) => victim.kill('SIGKILL');
  moments[moment]!(() => kill(child!));
  const source = { IMPORT_URL: `${host.url}/feed.xml`, IMPORT_OWNER: email };
  const started = startTestProgram('import-feed', { ...env, ...source });
  child = started;
  const ended = new Promise((resolve) => started.on('exit', (_code, signal) => resolve(signal)));
  const lines: string[] = [];
  for await (const line of createInterface({ input: started.stdout })) {
    lines.push(line);
    if (line === lastWords[moment]) kill(started);
  }
  expect(await ended, lines.join('\n')).toBe('SIGKILL');
}

/** Everything that an import of the feed creates for this owner. */
async function stateOf(app: App, accountId: string) {
  const all = async (text: string) => (await app.database.pool.query(text, [accountId])).rows;
  const of = 'join podcasts p on p.id = podcast_id where p.account_id = $1';
  return {
    episodes: await all(
      `select e.title, e.slug, e.episode_number, e.guid, e.status, e.published_at, a.sha256,
         a.size_bytes, e.artwork_id is not null as artwork, e.publish_transcript,
         (select count(*) from episode_credits c where c.episode_id = e.id) as credits,
         (select string_agg(s.body, ' ') from transcript_segments s where s.episode_id = e.id) as words,
         (select string_agg(s.language || ' ' || s.body, ' ')
          from further_transcript_segments s where s.episode_id = e.id) as further_words
       from episodes e left join audio_files a on a.episode_id = e.id ${of} order by e.title`,
    ),
    images: await all(`select i.width, i.sha256 from images i ${of}`),
    people: await all(`select n.name, n.roster from people n ${of}`),
  };
}

describe('an import whose process is killed', () => {
  let untouched: Awaited<ReturnType<typeof stateOf>>;

  beforeAll(async () => {
    await serveFiles();
    untouched = await withApp(await createInstallation(), async (app) => {
      const owner = await makeUser(app.ctx);
      const source = { url: `${host.url}/feed.xml` };
      expect(await importFeed(app.ctx, { source, owner, copyAudio: true })).toMatchObject({
        created: 3,
        failed: 0,
      });
      return stateOf(app, owner.accountId);
    });
    expect(untouched.episodes).toHaveLength(3);
    expect(untouched.episodes[0]).toMatchObject({ words: 'Hello.', further_words: 'de Hallo.' });
  });

  describe.each(trials)('an import whose process is killed when %s', (moment, waysOfMoment) => {
    let killed: Env;
    let owner: User;
    beforeAll(async () => {
      await serveFiles();
      killed = await createInstallation();
      owner = await withApp(killed, (app) => makeUser(app.ctx));
      await importUntilKilled(killed, owner.email, moment);
      await serveFiles();
    });

    it.each(waysOfMoment)('%s', async (how) => {
      const env = await copyInstallation(killed);
      await withApp(env, async (app) => {
        host.purge();
        if (how === 'goes on in another process') {
          const [importId] = await listAbandonedImports(app.ctx);
          await resumeImport(app.ctx, importId!);
          // It needs only the stored feed, not the host.
          expect(host.requested()).not.toContain('/feed.xml');
        } else {
          const source = { url: `${host.url}/feed.xml` };
          await importFeed(app.ctx, { source, owner, copyAudio: true });
        }
        expect(await stateOf(app, owner.accountId)).toEqual(untouched);
        const { rows } = await app.database.pool.query(
          `select state, report ->> 'created' as created, report ->> 'failed' as failed
           from imports where owner_id = $1 order by created_at`,
          [owner.id],
        );
        if (how === 'goes on in another process') {
          // The report covers the whole import, not only its last part.
          expect(rows).toEqual([{ state: 'finished', created: '3', failed: '0' }]);
        } else {
          expect(rows).toMatchObject([{ state: 'failed' }, { state: 'finished', failed: '0' }]);
        }
        expect(await filesUnder(env, 'blobs/.scratch')).toEqual([]);
        expect(await filesUnder(env, 'blobs/imports')).toEqual([]);
        const audio = await app.database.pool.query('select blob_key from audio_files');
        // No audio is left without an episode.
        expect(
          (await filesUnder(env, 'blobs/audio')).map((name) => `audio/${name}`).sort(),
        ).toEqual(audio.rows.map(({ blob_key }) => blob_key).sort());
      });
    });
  });
});

async function filesUnder({ DATA_DIR }: Env, folder: string): Promise<string[]> {
  const entries = await readdir(join(DATA_DIR, folder), { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
