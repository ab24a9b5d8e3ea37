import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { makeTone } from '../../../src/domain/publishing/audio/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { createTestContext, type TestContext } from '../../create-test-context.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../make.ts';
import { s3Settings } from '../../s3-store.ts';
import { startServing } from '../../start-serving.ts';
import { createTusClient, type TusClient, type TusResponse } from '../../tus-client.ts';

// Only a database server allows a second process.
const isPossible = process.env['TEST_DATABASE'] === 'postgres';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const stores = [
  { name: 'on disk', settings: {} },
  ...(s3Settings === undefined ? [] : [{ name: 'in S3', settings: s3Settings }]),
];

describe.runIf(isPossible).each(stores)('an upload $name, sent to two processes', (store) => {
  let opened: AsyncDisposableStack;
  let test: TestContext;
  let user: User;
  let show: Podcast;
  let clients: [TusClient, TusClient];
  let url: string;
  let cookie: string;
  let bytes: Buffer;

  beforeAll(async () => {
    opened = new AsyncDisposableStack();
    test = opened.use(await createTestContext());
    test.clock.set(new Date());
    user = await makeUser(test.ctx);
    show = await makePodcast(test.ctx, { owner: user });
    const settings = {
      DATA_DIR: test.config.dataDir,
      DATABASE_URL: test.databaseUrl ?? '',
      SECRET: 'x'.repeat(40),
      BASE_URL: 'http://test.local',
      ...store.settings,
    };
    const serve = async () => opened.use(await startServing({ ...settings })).url;
    const urls = await Promise.all([serve(), serve()]);
    [url] = urls;
    const response = await fetch(`${url}/app/api/sign-in`, {
      method: 'POST',
      headers: { origin: 'http://test.local', 'content-type': 'application/json' },
      body: JSON.stringify({ email: user.email, password: testPassword }),
    });
    cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const clientOf = (address: string) =>
      createTusClient(
        () => address,
        () => cookie,
      );
    clients = [clientOf(urls[0]), clientOf(urls[1])];
    bytes = Buffer.from(await new Response(ReadableStream.from(makeTone(3_600))).arrayBuffer());
  });
  afterAll(() => opened?.disposeAsync());

  async function begin() {
    const { id: episodeId } = await makeEpisode(test.ctx, show);
    const about = { purpose: 'audio', podcast_id: show.id, episode_id: episodeId };
    const created = await clients[0].create(bytes.length, { ...about, filename: 'tone.mp3' });
    return { episodeId, location: String(created.headers['location']) };
  }

  /** Makes the upload the audio of its episode, and downloads it. */
  async function expectWhole({ episodeId, location }: { episodeId: string; location: string }) {
    const headers = { cookie, origin: 'http://test.local', 'if-match': '*' };
    const used = await fetch(`${url}/app/api/episodes/${episodeId}/audio`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ upload_id: location.split('/').at(-1) }),
    });
    const { data } = (await used.json()) as { data: { sha256: string; size_bytes: number } };
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(data).toMatchObject({ sha256, size_bytes: bytes.length });
    const heard = await fetch(`${url}/app/api/episodes/${episodeId}/audio/file`, { headers });
    expect(Buffer.from(await heard.arrayBuffer()).equals(bytes)).toBe(true);
  }

  it('an upload sent to two processes in turns is whole, also if connections break', async () => {
    const begun = await begin();
    const piece = Math.ceil(bytes.length / 7);
    for (let turn = 0; turn < 40; turn += 1) {
      const client = clients[turn % 2] as TusClient;
      const offset = await client.offsetOf(begun.location);
      if (offset === bytes.length) break;
      const body = bytes.subarray(offset, offset + piece);
      if (turn % 3 === 2) {
        const half = body.subarray(0, piece / 2);
        await client.sendAndBreak(begun.location, offset, half, body.length);
      } else {
        const { status } = await client.send(begun.location, offset, body);
        // A process whose connection broke may still write the bytes that it had received.
        expect(turn > 2 ? [204, 409] : [204]).toContain(status);
      }
    }
    await expectWhole(begun);
  });

  it('an upload sent to two processes at the same time is whole, and no byte is stored twice', async () => {
    const begun = await begin();
    const piece = Math.ceil(bytes.length / 5);
    const refused = new Set<number>();
    for (let round = 0; round < 40; round += 1) {
      const from = await (clients[round % 2] as TusClient).offsetOf(begun.location);
      if (from === bytes.length) break;
      const responses = await Promise.all(
        clients.map((client, at) =>
          // The second request sends more.
          client.send(begun.location, from, bytes.subarray(from, from + piece * (at + 1))),
        ),
      );
      for (const { status } of responses) if (status !== 204) refused.add(status);
      expect(acceptedOf(responses)).toBeLessThanOrEqual(1);
    }
    // The second request is refused: its offset is outdated, or the upload has ended.
    expect([...refused].every((status) => [400, 409, 410, 423, 503].includes(status))).toBe(true);
    expect(refused.size).toBeGreaterThan(0);
    await expectWhole(begun);
  });
});

const acceptedOf = (responses: readonly TusResponse[]) =>
  responses.filter(({ status }) => status === 204).length;
