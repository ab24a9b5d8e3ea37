import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/create-test-app.ts';
import { makeEpisode, makePodcast } from '../../../test/make.ts';
import { patience } from '../../../test/patience.ts';
import { createPreviewLink } from '../../domain/public/previews/index.ts';
import { setTranscript } from '../../domain/publishing/transcripts/index.ts';
import { Turns } from '../../platform/processes/turns.ts';

/** Counts those who want a turn for something large, and those who have one. */
const turns = { claimed: 0, begun: 0, atOnce: 0, mostAtOnce: 0 };
const { take } = Turns.prototype;
const spy = vi.spyOn(Turns.prototype, 'take').mockImplementation(async function (
  this: Turns,
  claim,
) {
  // Statements take turns too.
  if (claim.heldBytes === undefined) return take.call(this, claim);
  turns.claimed += 1;
  const turn = await take.call(this, claim);
  turns.begun += 1;
  turns.atOnce += 1;
  turns.mostAtOnce = Math.max(turns.mostAtOnce, turns.atOnce);
  return {
    [Symbol.dispose]() {
      turns.atOnce -= 1;
      turn[Symbol.dispose]();
    },
  };
});

const shows = 3;
const episodesOfShow = 4;
/** Some 700 kB, in few segments. */
const segments = Array.from({ length: 14 }, (_, i) => ({
  ...{ startMs: i * 1000, endMs: i * 1000 + 900, speaker: '' },
  text: `${i} ${'spoken '.repeat(7_000)}`,
}));

let app: TestApp;
let port: number;
const paths: string[] = [];

beforeAll(async () => {
  app = await createTestApp();
  const { ctx, http } = app;
  for (let show = 0; show < shows; show += 1) {
    const podcast = await makePodcast(ctx);
    for (let i = 0; i < episodesOfShow; i += 1) {
      const episode = await makeEpisode(ctx, podcast, { publishTranscript: true });
      const hasTimes = i > 0;
      const transcript = { language: 'en', hasTimes, segments, wordCount: 1, durationMs: 1 };
      await setTranscript(ctx, episode.id, transcript);
      const formats = hasTimes ? ['vtt', 'srt', 'json'] : ['html'];
      paths.push(...formats.map((format) => `/transcripts/${episode.id}.${format}`));
      paths.push(`/listen/${podcast.slug}/${episode.slug}`);
      const draft = await makeEpisode(ctx, podcast, { status: 'draft', publishTranscript: true });
      await setTranscript(ctx, draft.id, transcript);
      const preview = new URL((await createPreviewLink(ctx, draft.id)).url).pathname;
      paths.push(preview, `${preview}/transcript.${hasTimes ? 'vtt' : 'html'}`);
    }
  }
  await http.server.listen({ port: 0, host: '127.0.0.1' });
  port = (http.server.server.address() as AddressInfo).port;
});
afterAll(async () => {
  spy.mockRestore();
  await app[Symbol.asyncDispose]();
});

const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

function request(path: string): Socket {
  const client = connect(port, '127.0.0.1').on('error', () => undefined);
  clients.push(client);
  client.write(`GET ${path} HTTP/1.1\r\nHost: test.local\r\nConnection: close\r\n\r\n`);
  return client;
}

const statusOf = async (client: Socket) => (await text(client)).slice(9, 12);

/** The number of statements that wait to read segments, which this test has locked. */
async function countReaders(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_locks
    where not granted and relation = 'transcript_segments'::regclass`.execute(app.ctx.db);
  return rows[0]?.count ?? 0;
}

/** Runs `act` while nobody can read segments. */
async function withoutSegments(act: () => Promise<void>): Promise<void> {
  await app.ctx.db.transaction().execute(async (tx) => {
    await sql`lock table transcript_segments in access exclusive mode`.execute(tx);
    await act();
  });
}

// Only a database server lets others wait for a lock.
it.runIf(process.env['TEST_DATABASE'] === 'postgres')(
  'large transcripts are read and written two at a time, also if clients leave',
  async () => {
    const { promise: isReadable, resolve: unlock } = Promise.withResolvers<void>();
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
    const lock = withoutSegments(async () => {
      locked();
      await isReadable;
    });
    await isLocked;
    const all = paths.map(request);
    // Each wants a turn before its transcript is read, which nobody can yet.
    await vi.waitFor(() => expect(turns.claimed).toBe(paths.length), patience);
    await vi.waitFor(async () => expect(await countReaders()).toBe(2), patience);
    const [stay, leave] = [all.filter((_, i) => i % 3 > 0), all.filter((_, i) => i % 3 === 0)];
    const statuses = stay.map(statusOf);
    for (const client of leave) client.destroy();
    const refusals = () => spy.mock.settledResults.filter(({ type }) => type === 'rejected').length;
    await vi.waitFor(() => expect(refusals()).toBeGreaterThanOrEqual(leave.length - 2), patience);
    unlock();
    await lock;
    expect(new Set(await Promise.all(statuses))).toEqual(new Set(['200']));
    expect(turns.mostAtOnce).toBe(2);
    // Those whose clients left are not read, unless they had a turn already.
    expect(turns.begun).toBeLessThanOrEqual(stay.length + 2);
  },
);

it.runIf(process.env['TEST_DATABASE'] === 'postgres')(
  'a transcript that is not published, or not in this format, is refused unread',
  async () => {
    const podcast = await makePodcast(app.ctx);
    const addTranscript = async (publishTranscript: boolean) => {
      const { id } = await makeEpisode(app.ctx, podcast, { publishTranscript });
      await setTranscript(app.ctx, id, { language: 'en', segments, wordCount: 1, durationMs: 1 });
      return id;
    };
    const [open, closed] = [await addTranscript(true), await addTranscript(false)];
    await withoutSegments(async () => {
      for (const file of [`${closed}.vtt`, `${closed}.html`, `${open}.html`]) {
        expect([file, await statusOf(request(`/transcripts/${file}`))]).toEqual([file, '404']);
      }
    });
    expect(await statusOf(request(`/transcripts/${open}.vtt`))).toBe('200');
  },
);
