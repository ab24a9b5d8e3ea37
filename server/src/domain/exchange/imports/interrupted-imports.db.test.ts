import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toneBytes, writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { patience } from '../../../../test/patience.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { newId } from '../../../lib/uuid.ts';
import type { JobTools } from '../../foundation/job.ts';
import { leaseMs, maxAttempts } from './import-limits.ts';
import { importFeed, listAbandonedImports, resumeImport, resumeImportsJob } from './index.ts';
import { LeaseLostError } from './lease.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
  const { host } = fixture;
  const items = [2, 1].map((number) => ({
    guid: `${number}`,
    title: `Episode ${number}`,
    date: `0${number} Jan 2020 10:00:00 GMT`,
    audio: `${host.url}/${number}.mp3`,
  }));
  host.serve('/feed.xml', writeTestFeed({ items }));
  host.serve('/1.mp3', await toneBytes(1));
  host.serve('/2.mp3', await toneBytes(2));
});
afterEach(() => fixture[Symbol.asyncDispose]());

/** The holder of an import on another machine, of which this one cannot see whether it lives. */
const elsewhere = { pid: 1, startedAtTicks: '1', place: 'another machine', run: newId() };

class Crash extends Error {}

/** Moves the clock, so that what was created is later than the import. Fails in the audio phase. */
function crash({ phase }: { phase: string }): void {
  fixture.test.clock.advance(1);
  if (phase === 'audio') throw new Crash();
}

/** An import that failed unexpectedly after it created its episodes. */
async function interrupt(): Promise<string> {
  await expect(fixture.run({ onProgress: crash })).rejects.toThrow(Crash);
  const [row] = await fixture.rows<{ id: string }>('select id from imports');
  return row!.id;
}

/** Leaves the import as a process that resumed it and died. */
async function dieWith(importId: string): Promise<void> {
  await fixture.rows(
    `update imports set holder = '{"run": "of a dead process"}', lease_until = '2000-01-01' where id = $1`,
    [importId],
  );
}

interface ImportRow {
  readonly state: string;
  readonly error: string | null;
  readonly attempts: number;
  readonly held: boolean;
}

async function rowOf(importId: string): Promise<ImportRow> {
  const [row] = await fixture.rows<ImportRow>(
    'select state, error, attempts, holder is not null as held from imports where id = $1',
    [importId],
  );
  return row!;
}

describe('an interrupted import', () => {
  it('an interrupted import continues from what it has stored, with one report for all', async () => {
    const importId = await interrupt();
    fixture.host.remove('/feed.xml');
    const { ctx } = fixture.test;
    expect(await listAbandonedImports(ctx)).toEqual([importId]);
    const report = await resumeImport(ctx, importId);
    expect(report).toMatchObject({ created: 2, failed: 0, podcast: { outcome: 'created' } });
    expect(await rowOf(importId)).toMatchObject({ state: 'finished', held: false });
    expect(await listAbandonedImports(ctx)).toEqual([]);
    expect(await resumeImport(ctx, importId)).toBeUndefined();
  });

  it('an interrupted import is continued by only one of two processes', async () => {
    const importId = await interrupt();
    const { ctx } = fixture.test;
    const reports = await Promise.all([resumeImport(ctx, importId), resumeImport(ctx, importId)]);
    expect(reports.filter((report) => report !== undefined)).toHaveLength(1);
  });

  it('an interrupted import ends with a report after two processes have died at the same item', async () => {
    const importId = await interrupt();
    const { ctx } = fixture.test;
    await dieWith(importId);
    await expect(resumeImport(ctx, importId, { onProgress: crash })).rejects.toThrow(Crash);
    await dieWith(importId);
    await expect(resumeImport(ctx, importId)).rejects.toMatchObject({
      details: [{ reason: 'gave_up' }],
    });
    const row = await rowOf(importId);
    expect(row).toMatchObject({ state: 'failed', held: false });
    expect(row.error).toContain(
      'at the same point of the import: creating the episodes, 2 of 2 done.',
    );
    const [{ report }] = (await fixture.rows<{ report: unknown }>(
      'select report from imports',
    )) as [{ report: unknown }];
    expect(report).toMatchObject({ created: 2, problems: [{ reason: 'process_ended' }] });
    expect(await listAbandonedImports(ctx)).toEqual([]);
  });

  it('an interrupted import continues as long as each process makes progress', async () => {
    const importId = await interrupt();
    const { ctx } = fixture.test;
    await dieWith(importId);
    const crashLater = ({ phase, done }: { phase: string; done: number }) => {
      if (phase === 'audio' && done === 2) throw new Crash();
    };
    const limits = { concurrentTransfers: 1 };
    const second = resumeImport(ctx, importId, { onProgress: crashLater, limits });
    await expect(second).rejects.toThrow(Crash);
    await dieWith(importId);
    expect(await resumeImport(ctx, importId)).toMatchObject({ failed: 0 });
    expect(await rowOf(importId)).toMatchObject({ state: 'finished' });
  });

  it('pauses when its process shuts down, and continues later', async () => {
    const importId = await interrupt();
    const { ctx } = fixture.test;
    const stop = new AbortController();
    fixture.host.respond('/2.mp3', () => stop.abort(new Error('stopping')));
    const { signal } = stop;
    await expect(resumeImport(ctx, importId, { signal })).rejects.toThrow('stopping');
    expect(await rowOf(importId)).toEqual({
      state: 'running',
      error: null,
      attempts: 0,
      held: false,
    });
    fixture.host.serve('/2.mp3', await toneBytes(2));
    await resumeImport(ctx, importId);
    expect(await rowOf(importId)).toMatchObject({ state: 'finished' });
  });

  it('an interrupted import ends when its podcast has been deleted', async () => {
    const importId = await interrupt();
    await fixture.rows('delete from podcasts');
    expect(await resumeImport(fixture.test.ctx, importId)).toBeUndefined();
    expect(await listAbandonedImports(fixture.test.ctx)).toEqual([]);
    expect(await fixture.rows('select id from imports')).toEqual([]);
  });

  it('fails after too many interruptions', async () => {
    const importId = await interrupt();
    await fixture.rows('update imports set attempts = $1', [maxAttempts]);
    await expect(resumeImport(fixture.test.ctx, importId)).rejects.toMatchObject({
      details: [{ reason: 'gave_up' }],
    });
    expect(await rowOf(importId)).toMatchObject({ state: 'failed', held: false });
  });

  it('reports that its stored state is gone', async () => {
    const importId = await interrupt();
    const [row] = await fixture.rows<{ documents: { key: string }[] }>(
      'select documents from imports',
    );
    for (const { key } of row!.documents) await fixture.test.ctx.blobs.delete(key);
    await expect(resumeImport(fixture.test.ctx, importId)).rejects.toMatchObject({
      details: [{ reason: 'documents_gone' }],
    });
    expect(await rowOf(importId)).toMatchObject({ state: 'failed' });
  });

  it('an interrupted import ends when its feed is imported again', async () => {
    const importId = await interrupt();
    expect(await fixture.run()).toMatchObject({ unchanged: 0, updated: 2, failed: 0 });
    expect(await rowOf(importId)).toMatchObject({ state: 'failed', held: false });
    expect(await listAbandonedImports(fixture.test.ctx)).toEqual([]);
  });
});

describe('an import that another process runs', () => {
  /** The holder is on another machine, so this one cannot see whether it lives. */

  it('an import that another process runs is taken over only after its lease has expired', async () => {
    const importId = await interrupt();
    const { ctx, clock } = fixture.test;
    const until = new Date(clock.now().getTime() + leaseMs);
    await fixture.rows('update imports set holder = $1, lease_until = $2', [elsewhere, until]);
    expect(await listAbandonedImports(ctx)).toEqual([]);
    expect(await resumeImport(ctx, importId)).toBeUndefined();
    clock.advance(leaseMs + 1);
    expect(await listAbandonedImports(ctx)).toEqual([importId]);
    expect(await resumeImport(ctx, importId)).toMatchObject({ created: 2 });
  });

  it('an import keeps its lease as long as its process runs', async () => {
    const { ctx, clock } = fixture.test;
    const watchLease = async () => {
      for (let renewals = 0; renewals < 3; renewals += 1) {
        clock.advance(1000);
        const until = new Date(clock.now().getTime() + leaseMs);
        const renewed = [{ lease_until: until }];
        const lease = () => fixture.rows('select lease_until from imports');
        await vi.waitFor(async () => expect(await lease()).toEqual(renewed), patience);
        expect(await listAbandonedImports(ctx)).toEqual([]);
      }
    };
    const watched = Promise.withResolvers<void>();
    fixture.host.respond('/1.mp3', (_request, response) => {
      const isOver = () => response.writeHead(404).end();
      watchLease().then(watched.resolve, watched.reject).finally(isOver);
    });
    const run = fixture.run({ limits: { leaseRenewalMs: 10 } });
    const [report] = await Promise.all([run, watched.promise]);
    expect(report).toMatchObject({ created: 1, failed: 1 });
  });

  it('an import that another process runs is not ended by a process that has lost its lease', async () => {
    fixture.host.respond('/1.mp3', (_request, response) => {
      const until = new Date(fixture.test.clock.now().getTime() + leaseMs);
      fixture
        .rows('update imports set holder = $1, lease_until = $2', [elsewhere, until])
        .then(() => response.writeHead(404).end());
    });
    await expect(fixture.run()).rejects.toThrow(LeaseLostError);
    const [row] = await fixture.rows('select state, holder from imports');
    expect(row).toEqual({ state: 'running', holder: elsewhere });
  });
});

describe('the import of a killed process', () => {
  /** The jobs that a run of the job enqueues: their names and delays in seconds. */
  async function look(): Promise<unknown[]> {
    const ordered: unknown[] = [];
    const enqueue: JobTools['enqueue'] = async (job, _payload, options) =>
      void ordered.push([job.name, options?.delaySeconds]);
    await resumeImportsJob.run(fixture.test.ctx, {}, { signal: AbortSignal.abort(), enqueue });
    return ordered;
  }

  it('the import of a killed process is scheduled again for the end of its lease each time the job runs', async () => {
    expect(await look()).toEqual([]);
    const importId = await interrupt();
    const { ctx, clock } = fixture.test;
    const until = new Date(ctx.clock.now().getTime() + leaseMs);
    await fixture.rows('update imports set holder = $1, lease_until = $2', [elsewhere, until]);
    expect(await look()).toEqual([['resume-imports', 31]]);
    clock.advance(20_000);
    expect(await look()).toEqual([['resume-imports', 11]]);
    clock.advance(11_000);
    // The next one may die as well.
    expect(await look()).toEqual([
      ['resume-imports', 31],
      ['continue-import', undefined],
    ]);
    expect(await resumeImport(ctx, importId)).toMatchObject({ created: 2 });
    expect(await look()).toEqual([]);
  });

  it('the import of a killed process was scheduled at its start', async () => {
    const announced: string[] = [];
    using _ = subscribed((name) => announced.push(name));
    await fixture.run();
    expect(announced).toContain('resume-imports');
  });

  function subscribed(onWork: (name: string) => void): Disposable {
    const nothing = () => undefined;
    const listener = { onChange: nothing, onGap: nothing, onWork, onWorkGap: nothing };
    const unsubscribe = fixture.test.ctx.announcements.subscribe(listener);
    return { [Symbol.dispose]: unsubscribe };
  }
});

describe('an interrupted import whose user has left the show', () => {
  it('an interrupted import whose user has left the show does not continue', async () => {
    const importId = await interrupt();
    const [row] = await fixture.rows<{ podcast_id: string }>('select podcast_id from imports');
    await fixture.rows('delete from episodes');
    await fixture.rows("update podcast_members set role = 'analyst' where podcast_id = $1", [
      row!.podcast_id,
    ]);
    await expect(resumeImport(fixture.test.ctx, importId)).rejects.toMatchObject({
      kind: 'forbidden',
    });
    expect(await fixture.rows('select id from episodes')).toEqual([]);
  });

  it('an interrupted import whose user has left the show ends also while a server is slow', async () => {
    const importId = await interrupt();
    fixture.host.respond('/1.mp3', () => {
      void fixture.rows("update podcast_members set role = 'analyst'");
    });
    const { ctx } = fixture.test;
    const forbidden = { kind: 'forbidden' };
    const running = resumeImport(ctx, importId, { limits: { leaseRenewalMs: 20 } });
    await expect(running).rejects.toMatchObject(forbidden);
    expect(await rowOf(importId)).toMatchObject({ state: 'running', held: false });
    await expect(resumeImport(ctx, importId)).rejects.toMatchObject(forbidden);
    expect(await rowOf(importId)).toMatchObject({ state: 'failed' });
  });
});

describe('several imports of one show at once', () => {
  it('several imports of one show at once wait for each other and create no duplicates', async () => {
    const audio = await toneBytes(1);
    const another = Promise.withResolvers<void>();
    fixture.host.respond('/1.mp3', async (_request, response) => {
      await another.promise;
      response.end(audio);
    });
    const onProgress = ({ phase }: { phase: string }) => {
      if (phase === 'waiting') another.resolve();
    };
    const reports = await Promise.all([1, 2, 3].map(() => fixture.run({ onProgress })));
    const created = reports.reduce((sum, report) => sum + report.created, 0);
    expect(created).toBe(2);
    expect(new Set(reports.map(({ podcast }) => podcast.id)).size).toBe(1);
    expect(await fixture.rows('select slug from episodes order by slug')).toEqual([
      { slug: 'episode-1' },
      { slug: 'episode-2' },
    ]);
    expect(await fixture.rows('select slug from podcasts')).toEqual([{ slug: 'night-signals' }]);
  });
});

describe('an import whose caller goes away', () => {
  it('stops waiting for another import without affecting it', async () => {
    const requested = Promise.withResolvers<void>();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    fixture.host.respond('/1.mp3', (_request, response) => {
      requested.resolve();
      void isReleased.then(() => response.writeHead(404).end());
    });
    const first = fixture.run();
    await requested.promise;
    const cancel = new AbortController();
    const reason = new Error('Ctrl-C');
    const onProgress = ({ phase }: { phase: string }) => {
      if (phase === 'waiting') cancel.abort(reason);
    };
    await expect(fixture.run({ signal: cancel.signal, onProgress })).rejects.toBe(reason);
    release();
    expect(await first).toMatchObject({ created: 1, failed: 1 });
    expect(await fixture.rows('select state from imports')).toEqual([{ state: 'finished' }]);
  });

  it('pauses, and can be continued', async () => {
    const cancel = new AbortController();
    const reason = new Error('Ctrl-C');
    fixture.host.respond('/1.mp3', () => cancel.abort(reason));
    await expect(fixture.run({ signal: cancel.signal })).rejects.toBe(reason);
    const [row] = await fixture.rows('select state, error, holder from imports');
    expect(row).toEqual({ state: 'running', error: null, holder: null });
    expect(await fixture.rows('select id from episodes')).toHaveLength(2);
    const [abandoned] = await listAbandonedImports(fixture.test.ctx);
    fixture.host.serve('/1.mp3', await toneBytes(1));
    expect(await resumeImport(fixture.test.ctx, abandoned!)).toMatchObject({ failed: 0 });
  });

  it('leaves nothing if it had not started', async () => {
    const input = { source: { url: `${fixture.host.url}/feed.xml` }, owner: fixture.owner };
    const signal = AbortSignal.abort(new Error('no'));
    await expect(
      importFeed(fixture.test.ctx, { ...input, copyAudio: true, signal }),
    ).rejects.toThrow('no');
    expect(await fixture.rows('select id from imports')).toEqual([]);
  });
});
