import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toneBytes, writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { makeUser } from '../../../../test/make.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { newId } from '../../../lib/uuid.ts';
import { consumeAttempt } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { slugsOfUser, startPodcast } from '../../publishing/podcasts/index.ts';
import {
  cancelImport,
  confirmFeedCode,
  getImport,
  listAbandonedImports,
  listImports,
  reopenImport,
  requestImport,
  resumeImport,
  sendFeedCode,
} from './index.ts';
import { startImportJob } from './resume-imports.job.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
let asOwner: Context;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
  asOwner = fixture.test.contextFor({ kind: 'user', userId: fixture.owner.id });
});
afterEach(() => fixture[Symbol.asyncDispose]());

const url = () => `${fixture.host.url}/feed.xml`;
const order = (changes = {}) =>
  requestImport(asOwner, {
    ...{ url: url(), copyAudio: true, overwrite: false, dryRun: false },
    ...changes,
  });

/** What background work does. */
async function carryOut() {
  const ctx = fixture.test.contextFor({ kind: 'system' });
  for (const id of await listAbandonedImports(ctx)) {
    await resumeImport(ctx, id).catch(() => undefined);
  }
}

async function serve(channel = '') {
  const audio = `${fixture.host.url}/1.mp3`;
  fixture.host.serve('/1.mp3', await toneBytes(1));
  fixture.host.serve(
    '/feed.xml',
    writeTestFeed({ channel, items: [{ guid: '1', title: 'One', audio }] }),
  );
}

describe('a requested import', () => {
  it('a requested import runs in the background, and only its owner can see it', async () => {
    await serve();
    const { id, state } = await order();
    expect(state).toBe('running');
    await carryOut();
    const done = await getImport(asOwner, id);
    expect(done).toMatchObject({ state: 'finished', podcastSlug: 'night-signals', error: null });
    expect(done.report).toMatchObject({ created: 1, importId: id });
    const told = `select podcast_id from change_events where kind = 'import.finished'`;
    expect(await fixture.rows(told)).toEqual([{ podcast_id: done.podcastId }]);
    expect(done.report?.nextSteps.join(' ')).toMatch(/301.*new-feed-url.*four weeks/s);
    const stranger = fixture.test.contextFor({
      kind: 'user',
      userId: (await makeUser(fixture.test.ctx)).id,
    });
    expect((await listImports(asOwner, { limit: 10 })).items).toMatchObject([{ id }]);
    expect((await listImports(stranger, { limit: 10 })).items).toEqual([]);
    for (const verb of [getImport, cancelImport]) {
      await expect(verb(stranger, id)).rejects.toMatchObject({ kind: 'not_found' });
    }
  });

  it('a user keeps 20 dry runs and the lists of 100 reports', async () => {
    await serve();
    const { id } = await order({ dryRun: true });
    await carryOut();
    const report = JSON.stringify((await getImport(asOwner, id)).report);
    const listed = JSON.parse(report) as Record<string, unknown[]>;
    const entries = ['problems', 'warnings', 'conflicts', 'changes', 'notKept'];
    const count = entries.reduce((sum, list) => sum + (listed[list]?.length ?? 0), 0);
    expect(count).toBeGreaterThan(0);
    for (const isDry of [true, false]) {
      await fixture.rows(`insert into imports (id, owner_id, source_url, creates_podcast, copy_audio,
          documents, state, progress, report, dry_run, created_at, updated_at)
        select gen_random_uuid(), owner_id, source_url, false, false, documents, state, progress, report,
          ${isDry}, created_at - number * interval '1 minute', updated_at
        from imports, generate_series(1, 120) number where id = '${id}'`);
    }
    await order({ dryRun: true });
    const ofKind = (isDry: boolean) =>
      fixture.rows<{ report: Record<string, unknown[]> & { omitted: number; created: number } }>(
        `select report from imports where state = 'finished' and dry_run = ${isDry}
         order by created_at desc`,
      );
    expect(await ofKind(true)).toHaveLength(20);
    const others = (await ofKind(false)).map((row) => row.report);
    expect(others).toHaveLength(120);
    expect(others[0]).toEqual(JSON.parse(report));
    const emptied = { created: 1, omitted: count, changes: [], warnings: [], notKept: [] };
    expect(others.at(-1)).toMatchObject(emptied);
    expect(others.filter(({ omitted }) => omitted === 0)).toHaveLength(100 - 20);
  });

  // IMPORT-11
  it('a user keeps the newest 1,000 imports, and the newest of each show and URL', async () => {
    await serve();
    const { id } = await order();
    await carryOut();
    const insert = (columns: string, count: number) =>
      fixture.rows(`insert into imports (id, owner_id, source_url, podcast_id, creates_podcast, copy_audio,
          documents, state, progress, dry_run, created_at, updated_at)
        select gen_random_uuid(), owner_id, ${columns}, false, false, '[]', 'failed', progress, false,
          created_at + number * interval '1 second', updated_at
        from imports, generate_series(1, ${count}) number where id = '${id}'`);
    // As many as one show can have under one URL, and under many.
    await insert('source_url, podcast_id', 5);
    await insert(`'https://old.example/' || number, podcast_id`, 1_010);
    await insert(`'https://failing.example/' || number, null`, 1_020);
    await order({ dryRun: true });
    const of = (where: string) =>
      fixture.rows<{ url: string }>(
        `select source_url as url from imports where state <> 'running' and ${where}
         order by created_at`,
      );
    const failing = await of('podcast_id is null');
    const shows = await of(`source_url like '%old.example%'`);
    expect(failing.length + shows.length).toBeLessThanOrEqual(2 * 1_000);
    expect(failing.at(-1)?.url).toBe('https://failing.example/1020');
    expect(shows).toHaveLength(1_000);
    expect(shows[0]?.url).toBe('https://old.example/11');
    const left = (await of('true')).length;
    await order({ dryRun: true });
    expect(await of('true')).toHaveLength(left);
  });

  it('a requested import can be a dry run, which stores only its report', async () => {
    await serve();
    const { id } = await order({ dryRun: true });
    await carryOut();
    expect(await getImport(asOwner, id)).toMatchObject({
      state: 'finished',
      report: { dryRun: true, created: 1 },
    });
    expect(await fixture.rows('select id from podcasts')).toEqual([]);
    expect(await fixture.rows('select id from change_events')).toEqual([]);
  });

  it('gives the reason if it fails, and starts again if it is resumed', async () => {
    fixture.host.serve('/feed.xml', '<html><body>Soon</body></html>');
    const { id } = await order();
    await carryOut();
    expect(await getImport(asOwner, id)).toMatchObject({ state: 'failed', errorReason: 'html' });
    await serve();
    await reopenImport(asOwner, id, { wake: true });
    await carryOut();
    expect(await getImport(asOwner, id)).toMatchObject({ state: 'finished', errorReason: null });
    await expect(reopenImport(asOwner, id, { wake: true })).rejects.toMatchObject({
      details: [{ reason: 'has_ended' }],
    });
  });

  it('a requested import is refused if its user has too many', async () => {
    for (let number = 0; number < 5; number += 1) await order();
    await expect(order()).rejects.toMatchObject({ kind: 'rate_limited' });
  });
});

describe('new shows by imports', () => {
  let fetches = 0;
  /** Every fetch gives another show. */
  beforeEach(async () => {
    fixture.host.serve('/1.mp3', await toneBytes(1));
    fixture.host.respond('/feed.xml', (_request, response) => {
      fetches += 1;
      const items = [{ guid: '1', title: 'One', audio: `${fixture.host.url}/1.mp3` }];
      const channel = `<podcast:guid>${newId()}</podcast:guid>`;
      response.setHeader('content-type', 'application/rss+xml');
      response.end(writeTestFeed({ title: `Show ${fetches}`, channel, items }));
    });
  });
  const useUpSlugs = async (most: number) => {
    for (let n = 0; n < most; n += 1) {
      await consumeAttempt(fixture.test.ctx, [slugsOfUser, fixture.owner.id]);
    }
  };
  const shows = async () => (await fixture.rows('select id from podcasts')).length;

  it('new shows by imports count as slugs of their user, whatever process makes them', async () => {
    await useUpSlugs(59);
    const { id } = await order({ copyAudio: false });
    await carryOut();
    expect(await getImport(asOwner, id)).toMatchObject({ state: 'finished' });
    const { id: refused } = await order({ copyAudio: false, url: `${url()}?again` });
    await carryOut();
    expect(await getImport(asOwner, refused)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/60 new slugs an hour.*in 60 minutes/),
      errorReason: 'too_many_slugs',
    });
    expect(await shows()).toBe(1);
    await expect(startPodcast(asOwner, { title: 'By hand' })).rejects.toMatchObject({
      kind: 'rate_limited',
    });
    fixture.test.clock.advance(3_600_000);
    await reopenImport(asOwner, refused, { wake: false });
    await carryOut();
    expect(await getImport(asOwner, refused)).toMatchObject({ state: 'finished' });
    // The operator moves whole networks, and is not limited.
    await useUpSlugs(59);
    const source = { url: `${url()}?network` };
    expect(await fixture.run({ source, copyAudio: false })).toMatchObject({ created: 1 });
    expect(await shows()).toBe(3);
  });

  it('new shows by imports are limited also if one import is cancelled and restarted again and again', async () => {
    const { id } = await order({ copyAudio: false });
    for (let n = 0; n < 59; n += 1) {
      await cancelImport(asOwner, id);
      await reopenImport(asOwner, id, { wake: false });
    }
    await cancelImport(asOwner, id);
    await expect(reopenImport(asOwner, id, { wake: false })).rejects.toMatchObject({
      kind: 'rate_limited',
    });
    expect(await getImport(asOwner, id)).toMatchObject({ state: 'cancelled' });
    await expect(order()).rejects.toMatchObject({ kind: 'rate_limited' });
    const ctx = fixture.test.contextFor({ kind: 'operator' });
    await reopenImport(ctx, id, { wake: false });
  });
});

describe('a cancelled import', () => {
  it('stops in its worker, keeps what it has imported, and can start again', async () => {
    await serve();
    const requested = Promise.withResolvers<void>();
    fixture.host.respond('/1.mp3', () => requested.resolve());
    const { id } = await order();
    // It may end before `cancelImport` returns.
    const running = Promise.allSettled([resumeImport(fixture.test.ctx, id)]);
    await requested.promise;
    expect(await cancelImport(asOwner, id)).toMatchObject({ state: 'cancelled' });
    expect(await running).toMatchObject([{ reason: { details: [{ reason: 'cancelled' }] } }]);
    expect(await fixture.rows('select title from episodes')).toEqual([{ title: 'One' }]);
    await expect(cancelImport(asOwner, id)).rejects.toMatchObject({
      details: [{ reason: 'has_ended' }],
    });
    await serve();
    await reopenImport(asOwner, id, { wake: false });
    expect(await resumeImport(fixture.test.ctx, id)).toMatchObject({
      failed: 0,
      audio: { files: 1 },
    });
  });
});

describe('the job of a cancelled import', () => {
  it('the job of a cancelled import ends without an error', async () => {
    await serve();
    const requested = Promise.withResolvers<void>();
    fixture.host.respond('/1.mp3', () => requested.resolve());
    const { id } = await order();
    const signal = new AbortController().signal;
    const noEnqueue = () => Promise.reject(new Error('nothing is ordered'));
    const running = startImportJob.run(
      fixture.test.ctx,
      { importId: id },
      { signal, enqueue: noEnqueue },
    );
    await requested.promise;
    await cancelImport(asOwner, id);
    await expect(running).resolves.toBeUndefined();
  });
});

describe('a locked feed', () => {
  const locked = '<podcast:locked owner="ana@feeds.example">yes</podcast:locked>';
  const codeIn = (text: string) => /(\d{4}) (\d{4})/.exec(text)?.slice(1).join('') ?? '';
  const send = () => sendFeedCode(asOwner, { url: url(), owner: fixture.owner });

  async function sentCode(): Promise<string> {
    const [content] = await fixture.rows<{ content: { code: string } }>(
      `select content from emails where template = 'feed-code' and recipient = 'ana@feeds.example'
       order by created_at desc, id desc limit 1`,
    );
    return codeIn(content?.content.code ?? '');
  }

  beforeEach(() => serve(locked));

  // IMPORT-3
  it('a locked feed can be imported by the operator, and only the operator can ignore the lock', async () => {
    await expect(fixture.run()).rejects.toMatchObject({ details: [{ reason: 'feed_locked' }] });
    const report = await fixture.run({ ignoreLock: true });
    expect(report.warnings[0]).toMatchObject({ reason: 'lock_ignored' });
  });

  it('a locked feed can be imported by the user whose own address it names', async () => {
    await serve(locked.replace('ana@feeds.example', fixture.owner.email.toUpperCase()));
    await expect(send()).rejects.toMatchObject({ details: [{ reason: 'already_proved' }] });
    expect(await fixture.run()).toMatchObject({ created: 1 });
    const other = await makeUser(fixture.test.ctx);
    await expect(fixture.run({ owner: other })).rejects.toMatchObject({
      details: [{ reason: 'feed_locked' }],
    });
  });

  it("a locked feed stays locked when its owner resumes the operator's import", async () => {
    fixture.host.respond('/1.mp3', () => running.abort());
    const running = new AbortController();
    await fixture.run({ ignoreLock: true, signal: running.signal }).catch(() => undefined);
    const [{ id } = { id: '' }] = (await listImports(asOwner, { limit: 1 })).items;
    await cancelImport(asOwner, id);
    await reopenImport(asOwner, id, { wake: false });
    await expect(resumeImport(fixture.test.ctx, id)).rejects.toMatchObject({
      details: [{ reason: 'feed_locked' }],
    });
  });

  it('a locked feed stays verified when another code is requested', async () => {
    const proof = await send();
    await confirmFeedCode(asOwner, { id: proof.id, code: await sentCode() });
    await expect(send()).rejects.toMatchObject({ details: [{ reason: 'already_proved' }] });
    expect(await fixture.run()).toMatchObject({ created: 1 });
  });

  // IMPORT-3, IMPORT-4
  it('a locked feed can be imported with the code emailed to its owner, which is stored hashed', async () => {
    const { id, sentTo } = await send();
    expect(sentTo).toBe('a…@feeds.example');
    const code = await sentCode();
    expect(code).toMatch(/^\d{8}$/);
    const [row] = await fixture.rows('select * from feed_proofs');
    expect(JSON.stringify(row)).not.toContain(code);
    await expect(confirmFeedCode(asOwner, { id, code: '0' })).rejects.toMatchObject({
      details: [{ reason: 'code_wrong' }],
    });
    await confirmFeedCode(asOwner, { id, code: `${code.slice(0, 4)} ${code.slice(4)}` });
    expect(await fixture.run()).toMatchObject({ created: 1 });
    const other = await makeUser(fixture.test.ctx);
    await expect(fixture.run({ owner: other })).rejects.toMatchObject({
      details: [{ reason: 'feed_locked' }],
    });
    await serve(locked.replace('ana@', 'bo@'));
    await expect(fixture.run()).rejects.toMatchObject({ details: [{ reason: 'feed_locked' }] });
  });

  // IMPORT-4
  it('refuses codes after five tries, after half an hour, and from another user', async () => {
    const first = await send();
    const code = await sentCode();
    const stranger = fixture.test.contextFor({
      kind: 'user',
      userId: (await makeUser(fixture.test.ctx)).id,
    });
    await expect(confirmFeedCode(stranger, { ...first, code })).rejects.toMatchObject({
      kind: 'not_found',
    });
    const wrong = { details: [{ reason: 'code_wrong' }] };
    const expired = { details: [{ reason: 'code_expired' }] };
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(confirmFeedCode(asOwner, { ...first, code: 'x' })).rejects.toMatchObject(wrong);
    }
    await expect(confirmFeedCode(asOwner, { ...first, code })).rejects.toMatchObject(expired);
    const second = await send();
    fixture.test.clock.advance(30 * 60_000 + 1);
    const late = { ...second, code: await sentCode() };
    await expect(confirmFeedCode(asOwner, late)).rejects.toMatchObject(expired);
  });

  it('limits how many codes its owner gets from all users together', async () => {
    for (let number = 0; number < 3; number += 1) await send();
    await expect(send()).rejects.toMatchObject({ kind: 'rate_limited' });
  });

  it('sends no code if it names no owner or is not locked', async () => {
    await serve('<podcast:locked>yes</podcast:locked>');
    await expect(send()).rejects.toMatchObject({ details: [{ reason: 'owner_unknown' }] });
    await serve('<podcast:locked>no</podcast:locked>');
    await expect(send()).rejects.toMatchObject({ details: [{ reason: 'feed_not_locked' }] });
  });
});
