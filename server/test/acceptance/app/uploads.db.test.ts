import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { makeTone } from '../../../src/domain/publishing/audio/index.ts';
import type { Episode } from '../../../src/domain/publishing/episodes/index.ts';
import { addPerson } from '../../../src/domain/publishing/people/index.ts';
import {
  addMember,
  getPodcast,
  type Podcast,
} from '../../../src/domain/publishing/podcasts/index.ts';
import { purgeUploads } from '../../../src/domain/publishing/uploads/purge-uploads.job.ts';
import { mostShortPieces } from '../../../src/http/limits/short-pieces.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { DiskReserveError } from '../../../src/platform/blob-store/disk-room.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';
import { patience } from '../../patience.ts';
import { createTusClient, type TusClient, type TusResponse } from '../../tus-client.ts';

let app: TestApp;
let address: string;
let browser: Browser;
let client: TusClient;
let user: User;
let show: Podcast;
let episode: Episode;
let tone: Buffer;
let people = 0;

async function signIn(who: User): Promise<Browser> {
  people += 1;
  const own = createBrowser(app, { address: `198.51.100.${people}` });
  await own.signIn(who.email);
  return own;
}

beforeAll(async () => {
  app = await createTestApp();
  address = await app.http.server.listen({ port: 0, host: '127.0.0.1' });
  tone = Buffer.from(await new Response(ReadableStream.from(makeTone(900))).arrayBuffer());
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  user = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner: user });
  episode = await makeEpisode(app.ctx, show, { status: 'draft' });
  browser = await signIn(user);
  client = createTusClient(
    () => address,
    () => browser.cookie ?? '',
  );
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const about = (more: Record<string, string> = {}) => ({
  purpose: 'audio',
  podcast_id: show.id,
  episode_id: episode.id,
  filename: 'tone.mp3',
  ...more,
});
const begin = async (bytes: number, more: Record<string, string> = {}) =>
  String((await client.create(bytes, about(more))).headers['location']);
const idOf = (location: string) => location.split('/').at(-1) ?? '';
const upload = async (bytes: Buffer, more: Record<string, string> = {}) => {
  const location = await begin(bytes.length, more);
  await client.send(location, 0, bytes);
  return idOf(location);
};
const image = { purpose: 'image', filename: 'cover.png' };
async function makePicture(): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const create = { width: 1400, height: 1400, channels: 3, background: '#286' } as const;
  return await sharp({ create }).png().toBuffer();
}
async function uploadForShow(picture: Buffer): Promise<string> {
  const { episode_id: _, ...ofShow } = about(image);
  const created = await client.create(picture.length, ofShow as never);
  const location = String(created.headers['location']);
  await client.send(location, 0, picture);
  return idOf(location);
}
const neverEnding = {
  ...{ module: new URL('../../programs/child-tasks.ts', import.meta.url), task: 'loop' },
  limits: { memoryMb: 512, cpuMs: 600_000, wallMs: 600_000, resultBytes: 1000 },
};
const overwrite = { 'if-match': '*' };
const use = (uploadId: string, part = 'audio') =>
  browser.send(
    'PUT',
    `/app/api/episodes/${episode.id}/${part}`,
    { upload_id: uploadId },
    overwrite,
  );
const errorOf = ({ status, body }: TusResponse) => [status, JSON.parse(body).error.message];
const uploads = async () => (await browser.get('/app/api/uploads')).json().data;
const untilStored = (location: string, sizeBytes: number) =>
  vi.waitFor(async () => {
    expect(await app.ctx.blobs.stat(`uploads/${idOf(location)}`)).toEqual({ sizeBytes });
  }, patience);
const storedUploads = async () => {
  const keys: string[] = [];
  for await (const batch of app.ctx.blobs.list('uploads')) {
    keys.push(...batch.map(({ key }) => key));
  }
  return keys;
};

describe('an upload', () => {
  it('an upload becomes the audio of an episode', async () => {
    const created = await client.create(tone.length, about({ sha256: sha256(tone) }));
    expect(created.status).toBe(201);
    expect(created.headers['tus-resumable']).toBe('1.0.0');
    expect(created.headers['upload-expires']).toMatch(/GMT$/);
    const location = String(created.headers['location']);
    const sent = await client.send(location, 0, tone);
    expect([sent.status, sent.headers['upload-offset']]).toEqual([204, String(tone.length)]);
    expect(await uploads()).toMatchObject([
      { id: idOf(location), received_bytes: tone.length, filename: 'tone.mp3' },
    ]);
    const used = await use(idOf(location));
    expect(used.statusCode, used.body).toBe(200);
    expect(used.json().data).toMatchObject({
      content_type: 'audio/mpeg',
      size_bytes: tone.length,
      sha256: sha256(tone),
    });
    const { rows } = await app.database.pool.query(
      'select sha256, size_bytes from audio_files where episode_id = $1',
      [episode.id],
    );
    expect(rows).toEqual([{ sha256: sha256(tone), size_bytes: tone.length }]);
    expect(await uploads()).toEqual([]);
    expect(await storedUploads()).not.toContain(`uploads/${idOf(location)}`);
    expect((await use(idOf(location))).json().error.details[0].reason).toBe('used');
  });

  it('an upload continues after broken connections', async () => {
    const location = await begin(tone.length);
    let offset = 0;
    for (const share of [0.2, 0.5, 0.9]) {
      const to = Math.floor(tone.length * share);
      await client.sendAndBreak(location, offset, tone.subarray(offset, to), tone.length - offset);
      const reached = await client.offsetOf(location);
      expect(reached).toBeGreaterThanOrEqual(offset);
      expect(reached).toBeLessThanOrEqual(to);
      offset = reached;
    }
    expect(offset).toBeGreaterThan(0);
    // A request of a broken connection may reach the upload after a later one, and end that one.
    while (offset < tone.length) {
      const rest = await client.send(location, offset, tone.subarray(offset));
      expect([204, 409, 503]).toContain(rest.status);
      const reached = await client.offsetOf(location);
      expect(reached).toBeGreaterThanOrEqual(offset);
      offset = reached;
    }
    const used = await use(idOf(location));
    expect(used.json()).toMatchObject({ data: { sha256: sha256(tone) } });
  });

  it('an upload returns to a client what it sent with the file, names without a value included', async () => {
    const said = { ...about(), filename: 'größe.mp3', filetype: 'audio/mpeg', relative: '' };
    const created = await client.create(tone.length, said);
    const head = await client.head(String(created.headers['location']));
    const metadata = Object.fromEntries(
      String(head.headers['upload-metadata'])
        .split(',')
        .map((pair) => pair.split(' ', 2))
        .map(([name, value = '']) => [name, Buffer.from(value, 'base64').toString()]),
    );
    expect(metadata).toEqual(said);
  });

  it('an upload with NUL in anything that its client sends with it is refused with its name', async () => {
    for (const field of ['note', 'filename', 'sha256', 'person_id', 'purpose']) {
      const refused = await client.create(100, about({ [field]: 'a\0b' }));
      expect(refused.status).toBe(400);
      const { details } = JSON.parse(refused.body).error;
      expect(details).toContainEqual(
        expect.objectContaining({ field, message_key: 'no_nul', message: expect.any(String) }),
      );
    }
  });

  it('an upload is found at its address with any query', async () => {
    const location = await begin(100);
    expect(await client.offsetOf(`${location}?{}=x`)).toBe(0);
  });

  it('an upload is taken over from a request that hangs', async () => {
    const location = await begin(tone.length);
    const hanging = client.sendAndWait(location, 0, tone.subarray(0, 300_000), tone.length);
    await untilStored(location, 300_000);
    const offset = await client.offsetOf(location);
    expect(offset).toBe(300_000);
    await hanging.ended;
    await client.send(location, offset, tone.subarray(offset));
    expect((await use(idOf(location))).statusCode).toBe(200);
  });

  it('an upload does not wait for a process that was killed', async () => {
    const location = await begin(tone.length);
    const gone = { pid: 4_194_304, startedAtTicks: '1', place: '', run: newId() };
    const { ownIdentity } = await import('../../../src/platform/database/process-identity.ts');
    await app.database.pool.query(
      `update uploads set writer = $1, writer_until = now() + interval '1 year' where id = $2`,
      [JSON.stringify({ ...gone, place: ownIdentity().place }), idOf(location)],
    );
    expect(await client.offsetOf(location)).toBe(0);
  });

  it('refuses bytes at another offset than its end', async () => {
    const location = await begin(tone.length);
    expect((await client.send(location, 5, tone.subarray(5))).status).toBe(409);
    expect(await client.offsetOf(location)).toBe(0);
    const longer = Buffer.concat([tone, tone]);
    expect((await client.send(location, 0, longer)).status).toBe(413);
  });

  it('an upload is refused if its first bytes are something else, and removed', async () => {
    const other = randomBytes(200_000).fill('PK\u0003\u0004', 0, 60_000);
    const location = await begin(other.length);
    const [status, message] = errorOf(await client.send(location, 0, other));
    expect([status, message]).toEqual([400, expect.stringContaining('not an audio file')]);
    expect((await client.head(location)).status).toBe(404);
    expect(await uploads()).toEqual([]);
  });

  it('an upload is not kept in memory if it is refused', async () => {
    const requests: IncomingMessage[] = [];
    const note = (request: IncomingMessage) => void requests.push(request);
    app.http.server.server.on('request', note);
    const location = await begin(1_000_000);
    const { status } = await client.send(location, 0, Buffer.alloc(1_000_000, 'x'));
    app.http.server.server.off('request', note);
    const sent = requests.find(({ method }) => method === 'PATCH');
    expect([status, sent?.listenerCount('data')]).toEqual([400, 0]);
  });

  it('an upload is refused before its bytes if it is too large, wrong or not permitted', async () => {
    const gb = 1024 ** 3;
    expect(errorOf(await client.create(2 * gb + 1, about()))[1]).toContain('larger than 2 GB');
    expect((await client.create(0, about())).status).toBe(400);
    expect((await client.create(9, about({ purpose: 'virus' }))).status).toBe(400);
    const other = await makePodcast(app.ctx);
    const foreign = await makeEpisode(app.ctx, other);
    for (const ids of [{ podcast_id: other.id }, { episode_id: foreign.id }]) {
      expect((await client.create(9, about(ids))).status).toBe(404);
    }
    expect(await uploads()).toEqual([]);
  });

  it('an upload of audio is refused if it would publish an episode and the user may not', async () => {
    const member = await makeUser(app.ctx);
    await addMember(app.ctx, {
      ...{ podcastId: show.id, userId: member.id, role: 'custom', roleName: 'Editor' },
      capabilities: ['episodes.edit', 'episodes.view_all'],
    });
    const published = await makeEpisode(app.ctx, show);
    browser = await signIn(member);
    const refused = await client.create(9, about({ episode_id: published.id }));
    expect(errorOf(refused)).toEqual([403, expect.stringContaining('episodes.publish')]);
    const notes = { episode_id: published.id, purpose: 'transcript' };
    expect((await client.create(9, about(notes))).status).toBe(201);
    expect((await client.create(9, about())).status).toBe(201);
  });

  it('an upload belongs to one user', async () => {
    const location = await begin(tone.length);
    const own = browser;
    browser = await signIn(await makeUser(app.ctx));
    expect((await client.head(location)).status).toBe(404);
    expect((await client.send(location, 0, tone)).status).toBe(404);
    expect((await client.request('DELETE', location)).status).toBe(404);
    expect((await client.request('GET', location)).status).toBe(404);
    expect(await uploads()).toEqual([]);
    browser = own;
    expect(await client.offsetOf(location)).toBe(0);
  });

  it('an upload is refused if the user has too many', async () => {
    for (let n = 0; n < 30; n += 1) await begin(5);
    const refused = await client.create(5, about());
    expect(errorOf(refused)).toEqual([429, expect.stringContaining('30 files')]);
    await client.request('DELETE', `/app/api/uploads/${(await uploads())[0].id}`);
    expect((await client.create(5, about())).status).toBe(201);
  });

  it('an upload is not refused because of files that have become part of a podcast', async () => {
    for (let n = 0; n < 30; n += 1) await begin(5);
    const use = 'update uploads set used_at = now() where user_id = $1';
    await app.database.pool.query(use, [user.id]);
    expect((await client.create(5, about())).status).toBe(201);
  });

  it('an upload is refused if all uploads together are too large', async () => {
    const gb = 1024 ** 3;
    for (let n = 0; n < 5; n += 1) await begin(2 * gb);
    expect((await client.create(1, about())).status).toBe(429);
  });

  // LIM-20
  it('an upload that is continued by a few bytes again and again is refused for a minute', async () => {
    const mb = 1024 * 1024;
    const sent = Buffer.concat([tone, Buffer.alloc(3 * mb)]);
    const location = await begin(sent.length);
    let offset = 0;
    const send = async (bytes: number) => {
      const response = await client.send(location, offset, sent.subarray(offset, offset + bytes));
      if (response.status === 204) offset += bytes;
      return response;
    };
    for (let n = 0; n < mostShortPieces - 1; n += 1) expect((await send(1)).status).toBe(204);
    expect((await send(mb)).status).toBe(204);
    // One that is announced as long.
    client.sendAndWait(location, offset, sent.subarray(offset, offset + 10), mb);
    await untilStored(location, offset + 10);
    expect(await client.offsetOf(location)).toBe(offset + 10);
    offset += 10;
    for (const bytes of [1, mb]) {
      const { status, headers } = await send(bytes);
      expect([status, headers['retry-after']]).toEqual([429, '60']);
    }
    expect(await client.offsetOf(location)).toBe(offset);
    app.clock.advance(60_000);
    expect((await send(sent.length - offset)).status).toBe(204);
    app.clock.reset();
  });

  it('an upload is removed when it is cancelled, also while bytes arrive', async () => {
    const location = await begin(tone.length);
    const hanging = client.sendAndWait(location, 0, tone.subarray(0, 300_000), tone.length);
    await untilStored(location, 300_000);
    expect((await client.request('DELETE', location)).status).toBe(204);
    await hanging.ended;
    expect(await uploads()).toEqual([]);
    expect(await storedUploads()).not.toContain(`uploads/${idOf(location)}`);
  });

  it('an upload is removed a day after its last bytes', async () => {
    const location = await begin(tone.length);
    await client.sendAndBreak(location, 0, tone.subarray(0, 200_000), tone.length);
    const finished = await upload(tone);
    app.clock.advance?.(23 * 3_600_000);
    await purgeUploads(app.ctx);
    expect(await uploads()).toHaveLength(2);
    app.clock.advance?.(2 * 3_600_000);
    await purgeUploads(app.ctx);
    browser = await signIn(user);
    expect(await uploads()).toEqual([]);
    expect(await storedUploads()).not.toContain(`uploads/${finished}`);
  });

  it('an upload is refused with 507 if the disk is full', async () => {
    const full = new Proxy(app.ctx.blobs.partial, {
      get: (target, name) =>
        name === 'requireRoom'
          ? async (bytes: number) => {
              throw new DiskReserveError(bytes);
            }
          : Reflect.get(target, name),
    });
    vi.spyOn(app.ctx.blobs, 'partial', 'get').mockReturnValue(full);
    try {
      expect(errorOf(await client.create(9, about()))).toEqual([
        507,
        'The server does not have enough disk space for this file. Contact the operator.',
      ]);
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('a finished upload', () => {
  it('a finished upload cannot be used before all bytes have arrived', async () => {
    const location = await begin(tone.length);
    await client.send(location, 0, tone.subarray(0, 9_000));
    const refused = await use(idOf(location));
    expect(refused.json().error.details[0]).toMatchObject({ reason: 'unfinished' });
    await client.send(location, 9_000, tone.subarray(9_000));
    expect((await use(idOf(location))).statusCode).toBe(200);
  });

  it('a finished upload cannot be used if it was damaged in transit', async () => {
    const id = await upload(tone, { sha256: 'a'.repeat(64) });
    const refused = await use(id);
    expect(refused.json().error.details[0]).toMatchObject({ reason: 'checksum' });
    const path = `/app/api/episodes/${episode.id}/audio`;
    const body = { upload_id: await upload(tone), sha256: 'b'.repeat(64) };
    const late = await browser.send('PUT', path, body, overwrite);
    expect(late.json().error.details[0]).toMatchObject({ reason: 'checksum' });
    expect(await uploads()).toEqual([]);
  });

  it('a finished upload has the hash that the request names that uses it, or else the first one, in any case', async () => {
    const path = `/app/api/episodes/${episode.id}/audio`;
    const id = await upload(tone, { sha256: 'a'.repeat(64) });
    const named = { upload_id: id, sha256: sha256(tone) };
    expect((await browser.send('PUT', path, named, overwrite)).statusCode).toBe(200);
    const capitals = await upload(tone, { sha256: sha256(tone).toUpperCase() });
    expect((await use(capitals)).statusCode).toBe(200);
  });

  it('a finished upload cannot be used if only its beginning is audio', async () => {
    const id = await upload(Buffer.concat([Buffer.from('ID3'), randomBytes(50_000)]));
    expect((await use(id)).statusCode).toBe(400);
    expect(await uploads()).toEqual([]);
  });

  it('a finished upload can be used only for its purpose', async () => {
    const id = await upload(tone);
    expect((await use(id, 'artwork')).json().error.details[0].reason).toBe('other_use');
    const second = await makeEpisode(app.ctx, show);
    const path = `/app/api/episodes/${second.id}/audio`;
    const refused = await browser.send('PUT', path, { upload_id: id }, overwrite);
    expect(refused.json().error.details[0].reason).toBe('other_use');
    expect((await use(newId())).statusCode).toBe(404);
  });

  it('a finished upload can be used once, also by concurrent requests', async () => {
    const id = await upload(tone);
    const responses = await Promise.all([use(id), use(id)]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  });

  it('a finished upload stays as it is if its client leaves while it waits to be read', async () => {
    const id = await upload(await makePicture(), image);
    const free = new AbortController();
    const busy = Array.from({ length: 8 }, (_, at) =>
      app.ctx.processes.run(
        { ...neverEnding, owner: `owner ${at}`, signal: free.signal },
        () => {},
      ),
    );
    const freed = Promise.allSettled(busy);
    using run = vi.spyOn(app.ctx.processes, 'run');
    const leave = new AbortController();
    const asked = fetch(`${address}/app/api/episodes/${episode.id}/artwork`, {
      method: 'PUT',
      headers: {
        ...{ origin: 'http://test.local', cookie: browser.cookie ?? '', ...overwrite },
        'content-type': 'application/json',
      },
      body: JSON.stringify({ upload_id: id }),
      signal: leave.signal,
    });
    await expect.poll(() => run.mock.calls.map(([{ task }]) => task)).toEqual(['picture']);
    leave.abort();
    await expect(asked).rejects.toThrow();
    const left = 'The client has closed the connection.';
    await expect(run.mock.results[0]?.value).rejects.toThrow(left);
    free.abort();
    await freed;
    expect((await use(id, 'artwork')).statusCode).toBe(200);
  });

  it('a finished upload cannot be used if the episode was changed meanwhile', async () => {
    const path = `/app/api/episodes/${episode.id}/audio`;
    const put = (uploadId: string, revision: number) =>
      browser.send('PUT', path, { upload_id: uploadId }, { 'if-match': `"${revision}"` });
    const first = await put(await upload(tone), 1);
    expect([first.statusCode, first.headers['etag']]).toEqual([200, '"2"']);
    expect(first.json().data.revision).toBe(2);
    const second = await upload(tone);
    const late = await put(second, 1);
    expect([late.statusCode, late.json().error.details[0].field]).toEqual([412, 'audio']);
    expect((await put(second, 2)).json().data.revision).toBe(3);
    const gone = await browser.send('DELETE', path, undefined, { 'if-match': '"3"' });
    expect(gone.json().data).toMatchObject({ audio: null, revision: 4 });
    expect((await browser.send('PUT', path, { upload_id: second })).statusCode).toBe(428);
  });

  it('stores no picture if the episode or show was changed meanwhile', async () => {
    const picture = await makePicture();
    const own = await upload(picture, image);
    const refused = {
      [`episodes/${episode.id}`]: own,
      [`podcasts/${show.id}`]: await uploadForShow(picture),
    };
    for (const [path, uploadId] of Object.entries(refused)) {
      const body = { upload_id: uploadId };
      const late = { 'if-match': '"9"' };
      const response = await browser.send('PUT', `/app/api/${path}/artwork`, body, late);
      expect(response.statusCode).toBe(412);
    }
    const images = 'select from images where podcast_id = $1';
    expect((await app.database.pool.query(images, [show.id])).rows).toEqual([]);
    expect((await use(own, 'artwork')).statusCode).toBe(200);
    expect((await app.database.pool.query(images, [show.id])).rows).toHaveLength(1);
  });

  it('a finished upload becomes the photo of a person, if the user may edit people', async () => {
    const ana = await addPerson(app.ctx, { podcastId: show.id, name: 'Ana' });
    const path = `/app/api/podcasts/${show.id}/people/${ana.id}/photo`;
    const { episode_id: _, ...ofShow } = about({ ...image, person_id: ana.id });
    const editor = await makeUser(app.ctx);
    await addMember(app.ctx, { podcastId: show.id, userId: editor.id, role: 'editor' });
    browser = await signIn(editor);
    const picture = await makePicture();
    const refused = await client.create(picture.length, {
      ...{ purpose: 'image', podcast_id: show.id, filename: 'cover.png' },
    } as never);
    expect(refused.status).toBe(403);
    const created = await client.create(picture.length, ofShow as never);
    const location = String(created.headers['location']);
    await client.send(location, 0, picture);
    const body = { upload_id: idOf(location), sha256: sha256(picture) };
    const { revision } = await getPodcast(app.ctx, show.id);
    const late = await browser.send('PUT', path, body, { 'if-match': `"${revision + 1}"` });
    expect(late.statusCode).toBe(412);
    const set = await browser.send('PUT', path, body, { 'if-match': `"${revision}"` });
    expect(set.statusCode, set.body).toBe(200);
    const list = async () =>
      (await browser.get(`/app/api/podcasts/${show.id}/people`)).json().data.people;
    expect(await list()).toMatchObject([{ name: 'Ana', photo: { id: set.json().data.id } }]);
    const elsewhere = path.replace(ana.id, episode.id);
    expect((await browser.send('DELETE', elsewhere, undefined, overwrite)).statusCode).toBe(404);
    const gone = await browser.send('DELETE', path, undefined, overwrite);
    expect(gone.json().data.people).toMatchObject([{ name: 'Ana', photo: null }]);
  });

  it('a finished upload becomes artwork, a transcript or chapters', async () => {
    const picture = await makePicture();
    const artwork = await use(await upload(picture, image), 'artwork');
    expect(artwork.json().data).toMatchObject({ width: 1400, url: expect.stringMatching(/png$/) });
    const removed = await browser.send(
      'DELETE',
      `/app/api/episodes/${episode.id}/artwork`,
      undefined,
      { 'if-match': '"2"' },
    );
    expect(removed.json().data).toMatchObject({ artwork: null, revision: 3 });
    const coverId = await uploadForShow(picture);
    const cover = await browser.send(
      'PUT',
      `/app/api/podcasts/${show.id}/artwork`,
      {
        upload_id: coverId,
      },
      overwrite,
    );
    expect(cover.statusCode, cover.body).toBe(200);
    const vtt = Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ana>Hello there\n');
    const transcript = await use(await upload(vtt, { purpose: 'transcript' }), 'transcript');
    expect(transcript.json().data).toMatchObject({
      language: 'en',
      segment_count: 1,
      word_count: 2,
    });
    const marked = Buffer.from(`\uFEFF${vtt}`, 'utf16le');
    for (const utf16 of [marked, Buffer.from(marked).swap16()]) {
      const read = await use(await upload(utf16, { purpose: 'transcript' }), 'transcript');
      expect(read.json().data).toMatchObject({ segment_count: 1, word_count: 2 });
    }
    const json = Buffer.from(
      JSON.stringify({ version: '1.2.0', chapters: [{ startTime: 0, title: 'Start' }] }),
    );
    const chapters = await use(await upload(json, { purpose: 'chapters' }), 'chapters-file');
    expect(chapters.json().data).toMatchObject({ chapter_count: 1 });
    const broken = await upload(Buffer.from('{"chapters": 5}'), { purpose: 'chapters' });
    expect((await use(broken, 'chapters-file')).statusCode).toBe(400);
  });

  it('long transcripts are saved one after the other, and a short one at once', async () => {
    const vtt = (cues: number) =>
      Buffer.from(
        `WEBVTT\n\n${'00:00.000 --> 00:02.000\nWhat the antenna hears at night.\n\n'.repeat(cues)}`,
      );
    const [long, short] = [
      await upload(vtt(5_000), { purpose: 'transcript' }),
      await upload(vtt(1), { purpose: 'transcript' }),
    ];
    const other = await app.ctx.longWrites.take({ owner: 'another user' });
    const take = vi.spyOn(app.ctx.longWrites, 'take');
    let isSaved = false;
    const saving = use(long, 'transcript').finally(() => {
      isSaved = true;
    });
    await vi.waitFor(() => expect(take).toHaveBeenCalledTimes(1), patience);
    const saved = await use(short, 'transcript');
    expect([saved.statusCode, isSaved]).toEqual([200, false]);
    other[Symbol.dispose]();
    expect((await saving).json().data).toMatchObject({ segment_count: 5_000 });
    // What it replaces is long.
    const replacement = await upload(vtt(2), { purpose: 'transcript' });
    expect((await use(replacement, 'transcript')).statusCode).toBe(200);
    expect(take).toHaveBeenCalledTimes(2);
  });
});
