import { readdir, stat, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toneBytes, writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { patience } from '../../../../test/patience.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { newId } from '../../../lib/uuid.ts';
import type { Context } from '../../foundation/context.ts';
import type { JobTools } from '../../foundation/job.ts';
import { deletePodcastRows } from '../../publishing/podcasts/index.ts';
import {
  cancelImport,
  reopenImport,
  requestImport,
  resumeImport,
  resumeImportsJob,
} from './index.ts';

const databases = useOneDatabase();
const limits = { leaseRenewalMs: 20 };
/** A run does not learn that it has lost its claim before it ends. */
const unaware = { leaseRenewalMs: 3_600_000 };
let fixture: ImportFixture;
let asOwner: Context;
let tone: Buffer;
/** The `Range` of each request for the audio. */
let ranges: (string | undefined)[];
beforeEach(async () => {
  fixture = await openImportFixture(databases);
  const { host, owner, test } = fixture;
  asOwner = test.contextFor({ kind: 'user', userId: owner.id });
  tone = await toneBytes(1);
  const audio = `${host.url}/1.mp3`;
  host.serve('/feed.xml', writeTestFeed({ items: [{ guid: '1', title: 'One', audio }] }));
  ranges = [];
  withhold(1);
});
afterEach(() => fixture[Symbol.asyncDispose]());

/** The host does not send the last bytes of the audio. 0: it sends all. */
function withhold(bytes: number): void {
  fixture.host.respond('/1.mp3', ({ headers }, response) => {
    ranges.push(headers.range);
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    response.writeHead(start === 0 ? 200 : 206, {
      'content-type': 'audio/mpeg',
      'content-length': tone.length - start,
      etag: '"one"',
      ...(start === 0
        ? {}
        : { 'content-range': `bytes ${start}-${tone.length - 1}/${tone.length}` }),
    });
    response.write(tone.subarray(start, tone.length - bytes));
    if (bytes === 0) response.end();
  });
}

const order = async () => {
  const url = `${fixture.host.url}/feed.xml`;
  const rules = { copyAudio: true, overwrite: false, dryRun: false };
  return (await requestImport(asOwner, { url, ...rules })).id;
};
const partialFiles = async () => {
  const { scratchDir } = fixture.test.ctx.blobs;
  const names = (await readdir(scratchDir)).filter((name) => name.startsWith('audio-'));
  return await Promise.all(
    names.map(async (name) => ({ name, sizeBytes: (await stat(join(scratchDir, name))).size })),
  );
};

/** Runs an import until only the last byte of its audio is missing. */
async function runUntilStalled(importId: string, signal?: AbortSignal, given = limits) {
  const running = Promise.allSettled([
    resumeImport(fixture.test.ctx, importId, { limits: given, signal }),
  ]);
  const all = expect.objectContaining({ sizeBytes: tone.length - 1 });
  await expect.poll(partialFiles, patience).toContainEqual(all);
  return { running };
}

async function pause(): Promise<string> {
  const importId = await order();
  const stop = new AbortController();
  const { running } = await runUntilStalled(importId, stop.signal);
  stop.abort(new Error('stopping'));
  expect(await running).toMatchObject([{ reason: { message: 'stopping' } }]);
  expect(await partialFiles()).toHaveLength(2);
  return importId;
}

const deleteShow = async () => {
  const [show] = await fixture.rows<{ id: string }>('select id from podcasts');
  await deletePodcastRows(fixture.test.ctx, show!.id);
};
const runJob = () => {
  const tools = { signal: new AbortController().signal, enqueue: async () => {} };
  return resumeImportsJob.run(fixture.test.ctx, {}, tools as unknown as JobTools);
};

describe('the partial audio of an import', () => {
  it('the partial audio of an import is deleted when it is cancelled while it runs', async () => {
    const importId = await order();
    const { running } = await runUntilStalled(importId);
    await cancelImport(asOwner, importId);
    expect(await running).toMatchObject([{ reason: { details: [{ reason: 'cancelled' }] } }]);
    expect(await partialFiles()).toEqual([]);
  });

  it('the partial audio of an import is deleted when the show is deleted while it runs', async () => {
    const { running } = await runUntilStalled(await order());
    await deleteShow();
    expect(await running).toMatchObject([{ status: 'rejected' }]);
    expect(await partialFiles()).toEqual([]);
  });

  it('the partial audio of an import is continued after a pause', async () => {
    const importId = await pause();
    withhold(0);
    expect(await resumeImport(fixture.test.ctx, importId)).toMatchObject({ failed: 0 });
    expect(ranges).toEqual([undefined, `bytes=${tone.length - 1}-`]);
    expect(await partialFiles()).toEqual([]);
  });

  it('the partial audio of an import that has died is continued by a later import of the show', async () => {
    const importId = await pause();
    withhold(0);
    expect(await fixture.run()).toMatchObject({ failed: 0 });
    expect(ranges).toEqual([undefined, `bytes=${tone.length - 1}-`]);
    expect(await partialFiles()).toEqual([]);
    expect(await fixture.rows('select state from imports where id = $1', [importId])).toEqual([
      { state: 'failed' },
    ]);
  });

  it('the partial audio of an import is not that of the cancelled run before it, which may still fetch', async () => {
    const importId = await order();
    const responses: ServerResponse[] = [];
    fixture.host.respond('/1.mp3', (_request, response) => {
      responses.push(response);
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': tone.length });
      response.write(tone.subarray(0, tone.length - 1));
    });
    const run = () =>
      Promise.allSettled([resumeImport(fixture.test.ctx, importId, { limits: unaware })]);
    const most = (files: Awaited<ReturnType<typeof partialFiles>>) =>
      files.filter(({ sizeBytes }) => sizeBytes === tone.length - 1).length;
    const cancelled = run();
    await expect.poll(async () => most(await partialFiles()), patience).toBe(1);
    await cancelImport(asOwner, importId);
    await reopenImport(asOwner, importId, { wake: false });
    const resumed = run();
    await expect.poll(async () => most(await partialFiles()), patience).toBe(1);
    responses[0]?.end(tone.subarray(-1));
    expect(await cancelled).toMatchObject([{ status: 'rejected' }]);
    responses[1]?.end(tone.subarray(-1));
    expect(await resumed).toMatchObject([{ value: { failed: 0, problems: [] } }]);
    const sizes = await fixture.rows('select size_bytes::integer as size from audio_files');
    expect(sizes).toEqual([{ size: tone.length }]);
    expect(await partialFiles()).toEqual([]);
  });

  it('the partial audio of an import is not continued by a later one while its process may still write it', async () => {
    const stop = new AbortController();
    const { running } = await runUntilStalled(await order(), stop.signal, unaware);
    // Its claim seems to have ended.
    fixture.test.clock.advance(24 * 3_600_000);
    withhold(0);
    expect(await fixture.run()).toMatchObject({ failed: 0 });
    expect(ranges).toEqual([undefined, undefined]);
    stop.abort(new Error('stopping'));
    expect(await running).toMatchObject([{ status: 'rejected' }]);
  });

  it('the partial audio of an import is deleted by background work if a cancelled run before it left it', async () => {
    const importId = await pause();
    const names = async () => (await partialFiles()).map(({ name }) => name);
    const before = await names();
    const { scratchDir } = fixture.test.ctx.blobs;
    await writeFile(join(scratchDir, `audio-${importId}-${newId()}-${newId()}`), 'old');
    await runJob();
    expect(await names()).toEqual(before);
  });

  it('the partial audio of an import is deleted when it is cancelled during a pause', async () => {
    await cancelImport(asOwner, await pause());
    expect(await partialFiles()).toEqual([]);
  });

  it('the partial audio of an import is deleted when it fails after a pause', async () => {
    const importId = await pause();
    await fixture.rows("update podcast_members set role = 'analyst'");
    const resumed = resumeImport(fixture.test.ctx, importId);
    await expect(resumed).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await partialFiles()).toEqual([]);
  });

  it('the partial audio of an import is kept by background work during a pause, and deleted when the show is', async () => {
    await pause();
    await runJob();
    expect(await partialFiles()).toHaveLength(2);
    await deleteShow();
    await runJob();
    expect(await partialFiles()).toEqual([]);
  });
});
