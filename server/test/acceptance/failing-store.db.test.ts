import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ObservedRequest } from '../../src/domain/audience/downloads/index.ts';
import { importFeed, resumeImport } from '../../src/domain/exchange/imports/index.ts';
import type { User } from '../../src/domain/foundation/accounts/index.ts';
import { attachTone, drawWaveformsJob } from '../../src/domain/publishing/audio/index.ts';
import type { Episode } from '../../src/domain/publishing/episodes/index.ts';
import type { Podcast } from '../../src/domain/publishing/podcasts/index.ts';
import { createBackup } from '../../src/domain/service/backups/index.ts';
import { sweepFiles } from '../../src/domain/service/files/index.ts';
import { type BlobStore, BlobStoreAwayError } from '../../src/platform/blob-store/blob-store.ts';
import { type Browser, createBrowser } from '../create-browser.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { pictureBytes, toneBytes, writeTestFeed } from '../hosts/podcast-host.ts';
import { type ImportFixture, openImportFixtureIn } from '../import-fixture.ts';
import { makeEpisode, makePodcast, makeUser } from '../make.ts';
import { hasS3, openTestS3Store } from '../s3-store.ts';
import { type StoreFault, StoreProxy, storeFaults, storeRefusals } from '../store-proxy.ts';
import { createTusClient, type TusClient } from '../tus-client.ts';
import { openFolder, openRepository } from '../use-backups.ts';

/** Everything that the service does with files, while its S3 store fails, and afterwards. */
describe.skipIf(!hasS3)('an installation whose file store fails', { timeout: 120_000 }, () => {
  let app: TestApp;
  let address: string;
  let proxy: StoreProxy;
  let blobs: BlobStore;
  let user: User;
  let show: Podcast;
  let episode: Episode;
  let browser: Browser;
  let client: TusClient;
  let fixture: ImportFixture;
  let tone: Buffer;
  let picture: Buffer;
  let people = 0;
  let observed: ObservedRequest[] = [];
  const opened = new AsyncDisposableStack();

  beforeAll(async () => {
    const scratchDir = await mkdtemp(join(tmpdir(), 'podstead-failing-store-'));
    opened.defer(() => rm(scratchDir, { recursive: true }));
    proxy = opened.use(await StoreProxy.open(process.env['TEST_S3_ENDPOINT'] ?? ''));
    blobs = opened.use(await openTestS3Store({ scratchDir, endpoint: proxy.url }));
    const onMediaResponse = (request: ObservedRequest) => void observed.push(request);
    const overrides = { blobs, onMediaResponse };
    app = opened.use(await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' }, overrides));
    address = await app.http.server.listen({ port: 0, host: '127.0.0.1' });
    [tone, picture] = await Promise.all([toneBytes(70), pictureBytes('#286', 300)]);
  });
  afterAll(() => opened.disposeAsync());

  beforeEach(async () => {
    proxy.restore();
    observed = [];
    people += 1;
    user = await makeUser(app.ctx);
    show = await makePodcast(app.ctx, { owner: user });
    episode = await makeEpisode(app.ctx, show, { slug: 'heard' });
    await // Waveforms belong to the bytes, so each test has its own.
    await attachTone(app.ctx, episode.id, 70 + people);
    browser = createBrowser(app, { address: `198.51.100.${people}` });
    await browser.signIn(user.email);
    client = createTusClient(
      () => address,
      () => browser.cookie ?? '',
    );
    fixture = await openImportFixtureIn(app);
    fixture.host.serve('/1.mp3', await toneBytes(2));
    const audio = `${fixture.host.url}/1.mp3`;
    const item = { guid: `${people}`, title: 'One', date: '01 Jan 2020 10:00:00 GMT', audio };
    fixture.host.serve('/feed.xml', writeTestFeed({ items: [item] }));
  });

  const pathOfAudio = () => `/media/${episode.id}/heard.mp3`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(address + path, { headers });
  /** What rows say of files. */
  const listFiles = () =>
    fixture.rows(
      `select 'audio' as kind, episode_id as id, blob_key as state from audio_files
       union all select 'image', id, null from images
       union all select 'upload', id, concat(received_bytes, ' ', used_at) from uploads
       order by 1, 2`,
    );
  const idOf = (location: string) => location.split('/').at(-1) ?? '';

  async function begin(purpose: 'audio' | 'image', bytes: Buffer): Promise<string> {
    const about = { purpose, podcast_id: show.id, episode_id: episode.id, filename: 'a' };
    const { headers } = await client.create(bytes.length, about);
    return String(headers['location']);
  }

  async function send(purpose: 'audio' | 'image', bytes: Buffer): Promise<string> {
    const location = await begin(purpose, bytes);
    expect((await client.send(location, 0, bytes)).status).toBe(204);
    return location;
  }

  async function use(part: 'audio' | 'artwork', location: string) {
    const path = `/app/api/episodes/${episode.id}/${part}`;
    const body = { upload_id: idOf(location) };
    const response = await browser.send('PUT', path, body, { 'if-match': '*' });
    return { status: response.statusCode, body: response.body, headers: response.headers };
  }

  const importShow = () =>
    importFeed(app.ctx, {
      source: { url: `${fixture.host.url}/feed.xml` },
      owner: user,
      slug: `imported-${people}`,
      copyAudio: true,
      // The outage begins when the feed has been stored.
      onBegun: () => breakStore?.(),
    });
  let breakStore: (() => void) | undefined;
  const refuse = (name: string) => proxy.inject(storeRefusals[name] as StoreFault);

  const backUp = async (folder: string) => {
    const repository = await openRepository(folder);
    const open = (tables: readonly string[]) => app.database.openSnapshot(tables);
    return {
      repository,
      made: createBackup(app.ctx, repository, open, { signal: new AbortController().signal }),
    };
  };

  const noTools = { signal: new AbortController().signal, enqueue: async () => undefined };
  const draw = () => drawWaveformsJob.run(app.ctx, {}, noTools);

  /** Each file that a row names is in the store, whole. */
  async function expectFilesOfRows(): Promise<void> {
    const { rows } = await app.database.pool.query<{ key: string; bytes: string }>(
      'select blob_key as key, size_bytes as bytes from audio_files where blob_key is not null',
    );
    for (const { key, bytes } of rows)
      expect(await blobs.stat(key)).toEqual({ sizeBytes: Number(bytes) });
  }

  it('an installation whose store refuses everything responds 503 where it needs files, leaves nothing half done, and continues afterwards', async () => {
    const [begun, sound, cover] = [
      await begin('audio', tone),
      await send('audio', tone),
      await send('image', picture),
    ];
    const { data: artwork } = JSON.parse((await use('artwork', cover)).body);
    const other = await send('image', await pictureBytes('#682', 300));
    breakStore = () => refuse('403 ExpiredToken');

    const paused = await importShow().catch((error: unknown) => error);
    expect(paused).toBeInstanceOf(BlobStoreAwayError);
    const before = await listFiles();
    const about = { purpose: 'audio', podcast_id: show.id, episode_id: episode.id };
    const refused = await Promise.all([
      client.create(tone.length, { ...about, filename: 'b' }),
      client.send(begun, 0, tone),
      use('audio', sound),
      use('artwork', other),
      ...[pathOfAudio(), new URL(artwork.url).pathname].map(async (path) => {
        const response = await get(path);
        const headers = Object.fromEntries(response.headers);
        return { status: response.status, body: await response.text(), headers };
      }),
    ]);
    for (const { status, body, headers } of refused) {
      expect([status, headers['retry-after'], body]).toEqual([503, '5', expect.anything()]);
      expect(body).toContain('file storage right now. Try again shortly.');
      expect(body).not.toMatch(/Expired|NoSuchBucket|said by|podstead-test|127[.]0/);
    }
    refuse('404 NoSuchBucket');
    await expect(draw()).rejects.toBeInstanceOf(BlobStoreAwayError);
    await expect(sweepFiles(app.ctx)).rejects.toBeInstanceOf(BlobStoreAwayError);
    const folder = await openFolder();
    const { made, repository } = await backUp(folder);
    await expect(made).rejects.toBeInstanceOf(BlobStoreAwayError);
    expect(await repository.list()).toEqual([]);
    for (const path of ['/healthz', `/listen/${show.slug}`, `/feeds/${show.slug}.xml`])
      expect((await get(path)).status, path).toBe(200);
    expect(await listFiles()).toEqual(before);

    proxy.restore();
    breakStore = undefined;
    expect(await client.offsetOf(begun)).toBe(0);
    expect((await client.send(begun, 0, tone)).status).toBe(204);
    expect((await use('audio', sound)).status).toBe(200);
    expect((await use('artwork', other)).status).toBe(200);
    expect(Buffer.from(await (await get(pathOfAudio())).arrayBuffer()).equals(tone)).toBe(true);
    const [running] = await fixture.rows<{ id: string; attempts: number }>(
      `select id, attempts from imports where state = 'running'`,
    );
    // An outage may last for days, so it is no reason to give up.
    expect(running?.attempts).toBe(0);
    expect(await resumeImport(app.ctx, running?.id ?? '')).toMatchObject({ failed: 0 });
    const imported = `select count(*)::int from audio_files where source_url like $1`;
    expect(await fixture.rows(imported, [`${fixture.host.url}%`])).toEqual([{ count: 1 }]);
    app.clock.advance(120_000);
    await draw();
    expect(await fixture.rows('select 1 from waveforms where due_at is not null')).toEqual([]);
    await sweepFiles(app.ctx);
    expect(await (await backUp(folder)).made).toMatchObject({ missing: [] });
    await expectFilesOfRows();
  });

  it('a file that the network cuts off never ends normally for a listener, is not judged by its half, and is used afterwards', async () => {
    const [sound, cover] = [await send('audio', tone), await send('image', picture)];
    const sizeBytes = (await (await get(pathOfAudio())).arrayBuffer()).byteLength;
    await vi.waitFor(() => expect(observed).toHaveLength(1));
    proxy.inject(storeFaults['a body that stops in the middle']);
    for (const headers of [{}, { range: 'bytes=1000-200000' }]) {
      const response = await get(pathOfAudio(), headers);
      const received = await countUntilError(response);
      expect(received).toBeLessThan(200_000);
    }
    await vi.waitFor(() => expect(observed).toHaveLength(3));
    for (const { sent } of observed.slice(1))
      expect(sent.reduce((sum, { start, end }) => sum + end + 1 - start, 0)).toBeLessThan(200_000);
    expect(sizeBytes).toBeGreaterThan(200_000);
    expect([(await use('audio', sound)).status, (await use('artwork', cover)).status]).toEqual([
      503, 503,
    ]);
    const archive = await get(`/app/api/podcasts/${show.id}/export?audio=true`, {
      cookie: browser.cookie ?? '',
    });
    await countUntilError(archive);
    await expect(draw()).rejects.toBeInstanceOf(BlobStoreAwayError);
    const { made } = await backUp(await openFolder());
    await expect(made).rejects.toBeInstanceOf(BlobStoreAwayError);

    proxy.restore();
    expect((await use('audio', sound)).status).toBe(200);
    expect((await use('artwork', cover)).status).toBe(200);
    app.clock.advance(120_000);
    await draw();
    expect(await fixture.rows('select 1 from waveforms where peaks is null')).toEqual([]);
    await expectFilesOfRows();
  });
});

/** The bytes of a body that must fail before its end. */
async function countUntilError(response: Response): Promise<number> {
  let bytes = 0;
  const read = async () => {
    for await (const chunk of response.body ?? []) bytes += chunk.length;
  };
  await expect(read()).rejects.toThrow();
  return bytes;
}
