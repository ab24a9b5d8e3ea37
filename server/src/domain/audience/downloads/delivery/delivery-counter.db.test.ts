import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makeAudioRequest, makeShow, type Show } from '../../../../../test/downloads.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import { newId } from '../../../../lib/uuid.ts';
import { openDeliveryCounter } from '../../../../start-http.ts';
import type { AudioRequest } from '../audio-request.ts';
import { type DeliveryCounter, recount } from '../index.ts';
import type { MediaFile, ObservedRequest } from '../observed-request.ts';
import { formatRequestLine, requestLineFormat } from './request-line.ts';

const address = '203.0.113.77';
const file: MediaFile = {
  hash: 'f'.repeat(64),
  sizeBytes: 480_000,
  durationMs: 120_000,
  bitrateBps: 32_000,
  leadingTagBytes: 0,
};

const databases = useOneDatabase();
let app: TestContext & { readonly downloads: DeliveryCounter };
let show: Show;
beforeEach(async () => {
  const context = await createTestContext({}, { databases });
  app = { ...context, downloads: openDeliveryCounter(context) };
  show = await makeShow(app.ctx);
  await app.downloads.flush();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.downloads[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

/** A whole download, by another listener each time. */
function deliver({
  counter = app.downloads,
  ...input
}: Partial<ObservedRequest> & { counter?: typeof app.downloads } = {}) {
  const sent = [{ start: 0, end: file.sizeBytes - 1 }];
  const at = app.clock.now();
  counter.begin(input.at ?? at);
  counter.record({
    at,
    podcastId: show.podcastId,
    episodeId: show.episodeIds[0],
    source: 'feed',
    framingHost: undefined,
    method: 'GET',
    address,
    userAgent: `AntennaPod/${newId()}`,
    referrer: undefined,
    isPrefetch: false,
    status: 200,
    file,
    sent,
    ...input,
  });
}
function takeDatabaseAway() {
  const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const away = vi.spyOn(app.database.pool, 'connect').mockImplementation((...given: unknown[]) => {
    const [callback] = given as [((error: Error) => void) | undefined];
    return (callback === undefined ? Promise.reject(error) : callback(error)) as never;
  });
  return { giveBack: () => away.mockRestore() };
}
async function query<T>(text: string, ...values: unknown[]): Promise<T[]> {
  return (await app.database.pool.query(text, values)).rows;
}
async function downloads(): Promise<Record<string, number>> {
  const rows = await query<{ day: string; downloads: number }>(
    'select day::text, downloads::int from podcast_download_days order by day',
  );
  return Object.fromEntries(rows.map((row) => [row.day, row.downloads]));
}
const writers = () =>
  query<{ id: string; until: Date }>(
    'select id, complete_until as until from download_writers order by complete_until',
  );
const folder = () => join(app.config.dataDir, 'downloads');
const format = (requests: readonly AudioRequest[]) =>
  requests.map((request) => `${formatRequestLine(request)}\n`).join('');
/** Leaves a journal with these segments, as a killed process does. Returns its folder. */
async function leaveJournal(segments: readonly string[], name = newId()): Promise<string> {
  const left = join(folder(), name);
  await mkdir(left);
  for (const [n, text] of segments.entries())
    await writeFile(join(left, `177314400000${n}-${newId()}.lines`), text);
  return left;
}
async function countWhatIsLeft(): Promise<void> {
  await using next = openDeliveryCounter(app);
  await next.flush();
}
/** Its journal has no folder, and can make none. */
async function openOnFullDisk() {
  const dataDir = join(app.config.dataDir, newId());
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'downloads'), '');
  const counter = openDeliveryCounter({ ...app, config: { ...app.config, dataDir } });
  await counter.flush();
  return counter;
}
async function journalFiles(): Promise<string[]> {
  const entries = await readdir(folder(), { recursive: true });
  return entries.filter((name) => name.endsWith('.lines')).map((name) => join(folder(), name));
}
async function readJournals(): Promise<string> {
  const files = await journalFiles();
  return (await Promise.all(files.map((path) => readFile(path, 'utf8')))).join('');
}

describe('counting while the database is away', () => {
  // COUNT-15
  it('responses wait on disk, without addresses, and are counted afterwards', async () => {
    const away = takeDatabaseAway();
    for (let n = 0; n < 50; n += 1) deliver();
    await app.downloads.flush();
    app.clock.advance(600_000);
    await app.downloads.flush();
    const { lagSeconds, journalBytes } = app.downloads.metrics();
    expect(lagSeconds).toBe(600);
    const text = await readJournals();
    expect(text.split('\n')).toHaveLength(51);
    expect(Buffer.byteLength(text)).toBe(journalBytes);
    expect(text).not.toContain(address);
    away.giveBack();
    await app.downloads.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 50 });
    expect(app.downloads.metrics()).toEqual({
      lagSeconds: 0,
      journalBytes: 0,
      newerJournalBytes: 0,
      dropped: 0,
    });
    expect(await readJournals()).toBe('');
  });

  it('requests after midnight are counted, too', async () => {
    app.clock.set(new Date('2026-03-10T23:59:00Z'));
    await app.downloads.flush();
    const away = takeDatabaseAway();
    deliver();
    app.clock.set(new Date('2026-03-11T00:01:00Z'));
    deliver();
    deliver({ at: new Date('2026-03-10T23:59:30Z') });
    await app.downloads.flush();
    expect((await readJournals()).split('\n')).toHaveLength(4);
    away.giveBack();
    await app.downloads.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 2, '2026-03-11': 1 });
  });

  it('responses wait in memory for a secret that was never known, and never go to disk', async () => {
    await app.downloads.flush();
    app.clock.set(new Date('2026-03-14T12:00:00Z'));
    const away = takeDatabaseAway();
    deliver();
    await app.downloads.flush();
    expect(await readJournals()).toBe('');
    app.clock.advance(5_000);
    expect(app.downloads.metrics()).toEqual({
      lagSeconds: 5,
      journalBytes: 0,
      newerJournalBytes: 0,
      dropped: 0,
    });
    away.giveBack();
    await app.downloads.flush();
    expect(await downloads()).toEqual({ '2026-03-14': 1 });
  });

  it('responses that wait for a secret are dropped at the end of the process', async () => {
    const away = takeDatabaseAway();
    const counter = openDeliveryCounter(app);
    deliver({ counter });
    await counter[Symbol.asyncDispose]();
    expect(counter.metrics().dropped).toBe(1);
    away.giveBack();
  });
});

describe('a response', () => {
  it('a response is merged with others of the same listener for the same audio; all are counted', async () => {
    const half = (start: number) => {
      const sent = [{ start, end: start + 119_999 }];
      deliver({ userAgent: 'AntennaPod/3.4', sent });
    };
    half(0);
    await app.downloads.flush();
    half(120_000);
    half(0);
    half(120_000);
    deliver({ userAgent: 'AntennaPod/3.4', method: 'HEAD' });
    await app.downloads.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 1 });
    const rows = await query(
      `select requests, rejected, audio::text from download_requests order by requests, rejected`,
    );
    const audio = (start: number, end: number) => `{[${start},${end})}`;
    expect(rows).toEqual([
      { requests: 1, rejected: null, audio: audio(0, 120_000) },
      { requests: 3, rejected: null, audio: audio(0, 240_000) },
    ]);
    expect(await query('select rejected, requests from download_request_sums')).toEqual([
      { rejected: 'head', requests: 1 },
    ]);
    expect(app.downloadCounts).toMatchObject({ requests: 5, counted: 1 });
    expect(Object.fromEntries(app.downloadCounts.rejected)).toEqual({ head: 1 });
  });

  it('a response of a flood from one address costs few rows and lines, and nobody else a download', async () => {
    const flood = 3_000;
    for (let n = 0; n < flood; n += 1) {
      deliver({ userAgent: `Flood/${n}`, referrer: `https://${n}.example/` });
      deliver({ userAgent: `Googlebot/2.${n}` });
      deliver({ userAgent: `Probe/${n}`, method: 'HEAD' });
    }
    deliver({ address: '203.0.113.78' });
    await app.downloads.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 501 });
    const [{ rows } = { rows: 0 }] = await query<{ rows: number }>(
      'select count(*)::int as rows from download_requests',
    );
    expect(rows).toBe(500 + 500 + 1);
    const [{ hosts } = { hosts: 0 }] = await query<{ hosts: number }>(
      `select count(*)::int as hosts from podcast_download_dimensions
        where dimension = 'referrers' and value <> 'other'`,
    );
    expect(hosts).toBe(10);
    expect(app.downloadCounts).toMatchObject({ requests: 3 * flood + 1, counted: 501 });
    expect(Object.fromEntries(app.downloadCounts.rejected)).toEqual({
      ...{ bot: flood, head: flood, too_many_listeners: flood - 500 },
    });
  });

  // COUNT-24
  it('a response of a flood of scraps takes no download of others behind the same address', async () => {
    const scrap = { sent: [{ start: 0, end: 2 }] };
    for (let n = 0; n < 2_500; n += 1) deliver({ userAgent: `Flood/${n}`, ...scrap });
    for (let n = 0; n < 499; n += 1) deliver();
    await app.downloads.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 499 });
    await using next = openDeliveryCounter(app);
    await next.flush();
    for (let n = 0; n < 2; n += 1) deliver({ counter: next });
    await next.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 500 });
    expect(app.downloadCounts.rejected.get('too_many_listeners')).toBe(2_500 - 500 + 1);
    await recount(app.ctx, { from: '2026-03-10', to: '2026-03-10' });
    expect(await downloads()).toEqual({ '2026-03-10': 500 });
  });

  it('a response of a day that can no longer be revised is dropped', async () => {
    deliver({ at: new Date('2026-03-01T12:00:00Z') });
    await app.downloads.flush();
    expect(app.downloads.metrics().dropped).toBe(1);
    expect(await downloads()).toEqual({});
  });

  it('a response whose bytes nginx sends is not counted, because its log is', async () => {
    const at = app.clock.now();
    app.downloads.begin(at);
    app.clock.advance(60_000);
    app.downloads.handOver(at);
    await app.downloads.flush();
    expect(await query('select from download_requests')).toEqual([]);
    expect(app.downloads.metrics()).toMatchObject({ lagSeconds: 0, dropped: 0 });
  });

  // COUNT-6
  it('a response belongs to the day on which it began', async () => {
    const began = new Date('2026-03-10T23:30:00Z');
    app.clock.set(began);
    await app.downloads.flush();
    app.downloads.begin(began);
    app.clock.set(new Date('2026-03-11T00:29:00Z'));
    await app.downloads.flush();
    // The day is not complete while it may still grow.
    expect(await writers()).toMatchObject([{ until: began }]);
    deliver({ at: began });
    await app.downloads.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 1 });
  });
});

describe('a process', () => {
  it('reports until when it has counted everything, and nothing after its end', async () => {
    const [own] = await writers();
    expect(own?.until).toEqual(app.clock.now());
    const counter = openDeliveryCounter(app);
    await counter.flush();
    expect(await writers()).toHaveLength(2);
    deliver({ counter });
    await counter[Symbol.asyncDispose]();
    expect(await downloads()).toEqual({ '2026-03-10': 1 });
    expect(await writers()).toEqual([own]);
    app.clock.advance(60_000);
    await app.downloads.flush();
    expect(await writers()).toEqual([{ ...own, until: app.clock.now() }]);
  });

  it('a process that ends while the database is away is forgotten by the next one', async () => {
    const [before] = await writers();
    const away = takeDatabaseAway();
    await app.downloads[Symbol.asyncDispose]();
    away.giveBack();
    expect(await writers()).toEqual([before]);
    await using next = openDeliveryCounter(app);
    await next.flush();
    const after = await writers();
    expect(after).toHaveLength(1);
    expect(after[0]?.id).not.toBe(before?.id);
  });

  it('leaves what the database did not accept to the next one', async () => {
    const counter = openDeliveryCounter(app);
    await counter.flush();
    const away = takeDatabaseAway();
    deliver({ counter });
    deliver({ counter });
    await counter[Symbol.asyncDispose]();
    away.giveBack();
    expect(await writers()).toHaveLength(2);
    await using next = openDeliveryCounter(app);
    await next.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 2 });
    expect(await readdir(folder())).toHaveLength(2);
    expect(await writers()).toHaveLength(2);
  });

  it('a process counts what the disk does not take before it ends', async () => {
    const counter = await openOnFullDisk();
    deliver({ counter });
    deliver({ counter, userAgent: 'AntennaPod/3.4' });
    await counter.flush();
    deliver({ counter, userAgent: 'AntennaPod/3.4' });
    await counter[Symbol.asyncDispose]();
    expect(await downloads()).toEqual({ '2026-03-10': 2 });
    expect(counter.metrics()).toMatchObject({ dropped: 0, journalBytes: 0 });
    expect(await writers()).toHaveLength(1);
  });

  it('a process says how many requests are lost when neither the disk nor the database takes them', async () => {
    const counter = await openOnFullDisk();
    const error = vi.spyOn(app.ctx.log, 'error');
    const away = takeDatabaseAway();
    // The two of one listener share a line.
    for (const name of ['one', 'one', 'other']) deliver({ counter, userAgent: `${name}/3.4` });
    await counter[Symbol.asyncDispose]();
    away.giveBack();
    const message = 'audio requests were lost because the process is stopping';
    expect(error).toHaveBeenLastCalledWith({ lost: 3 }, message);
    expect(counter.metrics().dropped).toBe(3);
    expect(await downloads()).toEqual({});
    // Its row says that this day is not complete.
    expect(await writers()).toHaveLength(2);
  });

  it('leaves what a newer version left, and says so', async () => {
    await leaveJournal(['{"unknown":1}\n'], `${newId()}.${requestLineFormat + 1}`);
    const warn = vi.spyOn(app.ctx.log, 'warn');
    await using next = openDeliveryCounter(app);
    await next.flush();
    const message = expect.stringContaining('audio requests from a newer version');
    expect(warn).toHaveBeenCalledWith({ bytes: 14 }, message);
    expect(next.metrics()).toMatchObject({ journalBytes: 0, newerJournalBytes: 14 });
    expect(app.downloadCounts.dropped).toBe(0);
    expect(await readJournals()).toBe('{"unknown":1}\n');
  });

  it('a process continues to count where files of the journal are missing', async () => {
    const database = takeDatabaseAway();
    deliver();
    await app.downloads.flush();
    await expect.poll(readJournals).not.toBe('');
    for (const path of await journalFiles()) await rm(path);
    database.giveBack();
    deliver();
    const error = vi.spyOn(app.ctx.log, 'error');
    await app.downloads.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 1 });
    const message = expect.stringContaining('files of the download journal are missing');
    expect(error).toHaveBeenCalledWith({ files: 1 }, message);
  });

  it('a process counts a segment once, also if its process died before removing it', async () => {
    const text = format([makeAudioRequest(app.ctx, show)]);
    const name = `1773144000000-${newId()}.lines`;
    for (let time = 0; time < 2; time += 1) {
      await writeFile(join(await leaveJournal([]), name), text);
      await countWhatIsLeft();
      expect(await downloads()).toEqual({ '2026-03-10': 1 });
    }
    expect(await query('select from download_requests')).toHaveLength(1);
  });

  it('a process loses no request to damaged lines, or to one that the database refuses', async () => {
    const good = [1, 2, 3].map((n) =>
      makeAudioRequest(app.ctx, show, { listener: `${n}`.repeat(32) }),
    );
    const bad = makeAudioRequest(app.ctx, show, { country: 'D\0' });
    // Random, so that it cannot be compressed until it fits into an index.
    const tooLong = makeAudioRequest(app.ctx, show, {
      listener: '4'.repeat(32),
      referrer: randomBytes(3_000).toString('hex'),
    });
    const unfit = [{ episodeId: 'one' }, { neededBytes: 1e300 }, { requests: 2 ** 40 }].map(
      (input, n) => makeAudioRequest(app.ctx, show, { ...input, listener: `5${n}`.repeat(16) }),
    );
    const lines = [...good, bad, tooLong].map(formatRequestLine);
    const late = lines[0]?.replace(/^\[\d+/, '[9000000000000000');
    const text = `${unfit.map(formatRequestLine).join('\n')}\n${lines[0]}\n\0\0\0\n${lines[1]}\n{"at":1}\n${lines[3]}\n${lines[4]}\n${late}\n${lines[2]}\n${lines[0]?.slice(0, 40)}`;
    await leaveJournal([text]);
    await countWhatIsLeft();
    expect(await downloads()).toEqual({ '2026-03-10': 3 });
    expect(app.downloadCounts).toMatchObject({ dropped: 8, counted: 3 });
    expect(await readdir(folder())).toHaveLength(1);
  });

  it('a process counts the segments behind one with a request that the database refuses', async () => {
    const segments = [1, 2, 3].map((n) => {
      const good = makeAudioRequest(app.ctx, show, { listener: `a${n}`.repeat(16) });
      return format([good, { ...good, listener: `b${n}`.repeat(16), country: 'D\0' }]);
    });
    await leaveJournal(segments);
    await countWhatIsLeft();
    expect(await downloads()).toEqual({ '2026-03-10': 3 });
    expect(app.downloadCounts).toMatchObject({ dropped: 3, counted: 3 });
  });

  it('stores nothing twice when it is interrupted among requests that are refused', async () => {
    const requests = ['1', '2', '3', '4'].map((digit) =>
      makeAudioRequest(app.ctx, show, { listener: digit.repeat(32) }),
    );
    await leaveJournal([format(requests)]);
    await query(`create function refuse() returns trigger language plpgsql as $$ begin
      if new.listener = decode(repeat('3', 32), 'hex') then
        raise exception 'refused' using errcode = '23514';
      end if;
      if new.listener = decode(repeat('4', 32), 'hex') and exists (select from download_requests)
      then
        raise exception 'the server stops' using errcode = '57P01';
      end if;
      return new; end $$`);
    await query(`create trigger refuse before insert on download_requests
      for each row execute function refuse()`);
    await using next = openDeliveryCounter(app);
    await next.flush();
    // What was refused is taken later: the whole segment is one batch again.
    await query('drop trigger refuse on download_requests');
    await next.flush();
    expect(await query('select from download_requests')).toHaveLength(4);
    expect(await downloads()).toEqual({ '2026-03-10': 4 });
    expect(app.downloadCounts).toMatchObject({ requests: 4, counted: 4 });
  });

  it('a process loses nothing when the database has the transaction tried again', async () => {
    await query('create sequence tries');
    await query(`create function fail_once() returns trigger language plpgsql as $$ begin
      if nextval('tries') = 1 then raise exception 'once' using errcode = '40P01'; end if;
      return new; end $$`);
    await query(
      'create trigger fail_once before update on download_sums execute function fail_once()',
    );
    deliver();
    await app.downloads.flush();
    await query('drop trigger fail_once on download_sums');
    expect(await query('select last_value::int as tries from tries')).toEqual([{ tries: 2 }]);
    expect(await downloads()).toEqual({ '2026-03-10': 1 });
    expect(app.downloadCounts).toMatchObject({ counted: 1, dropped: 0 });
  });

  it('a process continues around files that cannot be read, and counts them when they can', async () => {
    const lines = [1, 2, 3, 4, 5, 6].map((n) =>
      format([makeAudioRequest(app.ctx, show, { listener: `${n}`.repeat(32) })]),
    );
    const left = [await leaveJournal(lines.slice(0, 2)), await leaveJournal(lines.slice(2, 4))];
    const unreadable = left.map((folder) => join(folder, `1-${newId()}.lines`));
    for (const path of unreadable) await mkdir(path);
    for (const folder of left)
      await query('insert into download_writers values ($1, $2)', basename(folder), new Date(0));
    const before = await writers();
    const warn = vi.spyOn(app.ctx.log, 'warn');
    await using next = openDeliveryCounter(app);
    await next.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 4 });
    const message = expect.stringContaining('cannot be read; it will be retried');
    const file = expect.any(String);
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ file }), message);
    app.clock.advance(60_000);
    await next.flush();
    const isOwn = ({ id }: { id: string }) => before.every((row) => row.id !== id);
    expect((await writers()).filter(isOwn)).toMatchObject([{ until: app.clock.now() }]);
    for (const [n, path] of unreadable.entries()) {
      await rmdir(path);
      await writeFile(path, lines[4 + n] ?? '');
    }
    await next.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 6 });
    for (const folder of left) await expect(readdir(folder)).rejects.toThrow('ENOENT');
    expect(await writers()).toHaveLength(before.length + 1 - left.length);
  });

  it('a process counts its own responses around a file that cannot be read', async () => {
    const database = takeDatabaseAway();
    deliver();
    await app.downloads.flush();
    await expect.poll(readJournals).not.toBe('');
    const [path = ''] = await journalFiles();
    const text = await readFile(path);
    await rm(path);
    await mkdir(path);
    database.giveBack();
    deliver();
    await app.downloads.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 1 });
    await rmdir(path);
    await writeFile(path, text);
    await app.downloads.flush();
    expect(await downloads()).toEqual({ '2026-03-10': 2 });
  });

  it('a process is forgotten after its end, when its journal is gone, too', async () => {
    await query(`insert into download_writers values
      ('lost', '2026-03-07T23:00:00Z'), ('lately', '2026-03-08T01:00:00Z'), ('log:x', '2026-01-01')`);
    app.clock.advance(60_000);
    await app.downloads.flush();
    const ids = (await writers()).map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(['log:x', 'lately']);
    expect(ids).toHaveLength(3);
  });
});
