import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patience } from '../../../test/patience.ts';
import { newId } from '../../lib/uuid.ts';
import { type ImportBench, openImportBench } from './import-bench-for-test.ts';
import { leaseMs, leaseRenewalMs, maxAttempts } from './import-limits.ts';
import { importFeed, listAbandonedImports, resumeImport } from './index.ts';
import { LeaseLostError } from './lease.ts';
import { toneBytes, writeTestFeed } from './podcast-host-for-test.ts';

let bench: ImportBench;
beforeEach(async () => {
  bench = await openImportBench();
  const { host } = bench;
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
afterEach(() => bench[Symbol.asyncDispose]());

class Crash extends Error {}

/** Time goes by, and what was made is seen to be younger than the import. */
function crash({ phase }: { phase: string }): void {
  bench.test.clock.advance(1);
  if (phase === 'audio') throw new Crash();
}

/** An import that has made its episodes, and then met with something nobody foresaw. */
async function interrupt(): Promise<string> {
  await expect(bench.run({ onProgress: crash })).rejects.toThrow(Crash);
  const [row] = await bench.rows<{ id: string }>('select id from imports');
  return row!.id;
}

interface ImportRow {
  readonly state: string;
  readonly error: string | null;
  readonly attempts: number;
  readonly held: boolean;
}

async function rowOf(importId: string): Promise<ImportRow> {
  const [row] = await bench.rows<ImportRow>(
    'select state, error, attempts, holder is not null as held from imports where id = $1',
    [importId],
  );
  return row!;
}

describe('an import that was interrupted', () => {
  it('is gone on with from what it has kept, and reports as a whole', async () => {
    const importId = await interrupt();
    bench.host.remove('/feed.xml');
    const { ctx } = bench.test;
    expect(await listAbandonedImports(ctx)).toEqual([importId]);
    const report = await resumeImport(ctx, importId);
    expect(report).toMatchObject({ created: 2, failed: 0, podcast: { outcome: 'created' } });
    expect(await rowOf(importId)).toMatchObject({ state: 'finished', held: false });
    expect(await listAbandonedImports(ctx)).toEqual([]);
    expect(await resumeImport(ctx, importId)).toBeUndefined();
  });

  it('is gone on with by one of two processes', async () => {
    const importId = await interrupt();
    const { ctx } = bench.test;
    const reports = await Promise.all([resumeImport(ctx, importId), resumeImport(ctx, importId)]);
    expect(reports.filter((report) => report !== undefined)).toHaveLength(1);
  });

  it('rests when its process is told to stop, and is gone on with again', async () => {
    const importId = await interrupt();
    const { ctx } = bench.test;
    const stop = new AbortController();
    bench.host.answer('/2.mp3', () => stop.abort(new Error('stopping')));
    const { signal } = stop;
    await expect(resumeImport(ctx, importId, { signal })).rejects.toThrow('stopping');
    expect(await rowOf(importId)).toEqual({
      state: 'running',
      error: null,
      attempts: 0,
      held: false,
    });
    bench.host.serve('/2.mp3', await toneBytes(2));
    await resumeImport(ctx, importId);
    expect(await rowOf(importId)).toMatchObject({ state: 'finished' });
  });

  it('ends when its podcast has been deleted', async () => {
    const importId = await interrupt();
    await bench.rows('delete from podcasts');
    await expect(resumeImport(bench.test.ctx, importId)).rejects.toMatchObject({
      details: [{ reason: 'podcast_gone' }],
    });
    expect(await rowOf(importId)).toMatchObject({ state: 'failed', held: false });
  });

  it('is given up when it has been interrupted too often', async () => {
    const importId = await interrupt();
    await bench.rows('update imports set attempts = $1', [maxAttempts]);
    await expect(resumeImport(bench.test.ctx, importId)).rejects.toMatchObject({
      details: [{ reason: 'gave_up' }],
    });
    expect(await rowOf(importId)).toMatchObject({ state: 'failed', held: false });
  });

  it('says so when what it had kept is gone', async () => {
    const importId = await interrupt();
    const [row] = await bench.rows<{ documents: { key: string }[] }>(
      'select documents from imports',
    );
    for (const { key } of row!.documents) await bench.test.ctx.blobs.delete(key);
    await expect(resumeImport(bench.test.ctx, importId)).rejects.toMatchObject({
      details: [{ reason: 'documents_gone' }],
    });
    expect(await rowOf(importId)).toMatchObject({ state: 'failed' });
  });

  it('is done with once its feed is imported anew', async () => {
    const importId = await interrupt();
    expect(await bench.run()).toMatchObject({ unchanged: 0, updated: 2, failed: 0 });
    expect(await rowOf(importId)).toMatchObject({ state: 'failed', held: false });
    expect(await listAbandonedImports(bench.test.ctx)).toEqual([]);
  });
});

describe('an import that another process carries out', () => {
  /** Somewhere else, where nobody can see whether it still lives. */
  const elsewhere = { pid: 1, startedAtTicks: '1', place: 'another machine', run: newId() };

  it('is left to it while its lease lasts, and taken over when that has run out', async () => {
    const importId = await interrupt();
    const { ctx, clock } = bench.test;
    const until = new Date(clock.now().getTime() + leaseMs);
    await bench.rows('update imports set holder = $1, lease_until = $2', [elsewhere, until]);
    expect(await listAbandonedImports(ctx)).toEqual([]);
    expect(await resumeImport(ctx, importId)).toBeUndefined();
    clock.advance(leaseMs + 1);
    expect(await listAbandonedImports(ctx)).toEqual([importId]);
    expect(await resumeImport(ctx, importId)).toMatchObject({ created: 2 });
  });

  it('is kept by it as long as that takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { ctx, clock } = bench.test;
    const leases = new Set<number>();
    bench.host.answer('/1.mp3', (_request, response) => {
      const renewed = vi.waitFor(async () => {
        clock.advance(1000);
        vi.advanceTimersByTime(leaseRenewalMs);
        const [row] = await bench.rows<{ lease_until: Date }>('select lease_until from imports');
        leases.add(row!.lease_until.getTime());
        expect(leases.size).toBeGreaterThan(2);
        expect(await listAbandonedImports(ctx)).toEqual([]);
      }, patience);
      renewed.finally(() => response.writeHead(404).end());
    });
    try {
      expect(await bench.run()).toMatchObject({ created: 1, failed: 1 });
      expect(leases.size).toBeGreaterThan(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is no longer ended by the one that has lost it', async () => {
    bench.host.answer('/1.mp3', (_request, response) => {
      const until = new Date(bench.test.clock.now().getTime() + leaseMs);
      bench
        .rows('update imports set holder = $1, lease_until = $2', [elsewhere, until])
        .then(() => response.writeHead(404).end());
    });
    await expect(bench.run()).rejects.toThrow(LeaseLostError);
    const [row] = await bench.rows('select state, holder from imports');
    expect(row).toEqual({ state: 'running', holder: elsewhere });
  });
});

describe('several imports of one show at once', () => {
  it('wait for each other and double nothing', async () => {
    const phases = new Set<string>();
    const onProgress = ({ phase }: { phase: string }) => void phases.add(phase);
    const reports = await Promise.all([1, 2, 3].map(() => bench.run({ onProgress })));
    const created = reports.reduce((sum, report) => sum + report.created, 0);
    expect(created).toBe(2);
    expect(new Set(reports.map(({ podcast }) => podcast.id)).size).toBe(1);
    expect(phases).toContain('waiting');
    expect(await bench.rows('select slug from episodes order by slug')).toEqual([
      { slug: 'episode-1' },
      { slug: 'episode-2' },
    ]);
    expect(await bench.rows('select slug from podcasts')).toEqual([{ slug: 'night-signals' }]);
  });
});

describe('an import that is cancelled', () => {
  it('while it waits for another, leaves that alone', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    bench.host.answer('/1.mp3', (_request, response) => {
      asked.resolve();
      void answer.promise.then(() => response.writeHead(404).end());
    });
    const first = bench.run();
    await asked.promise;
    const cancel = new AbortController();
    const reason = new Error('Ctrl-C');
    const onProgress = ({ phase }: { phase: string }) => {
      if (phase === 'waiting') cancel.abort(reason);
    };
    await expect(bench.run({ signal: cancel.signal, onProgress })).rejects.toBe(reason);
    answer.resolve();
    expect(await first).toMatchObject({ created: 1, failed: 1 });
    expect(await bench.rows('select state from imports')).toEqual([{ state: 'finished' }]);
  });

  it('ends, and keeps what is in', async () => {
    const cancel = new AbortController();
    const reason = new Error('Ctrl-C');
    bench.host.answer('/1.mp3', () => cancel.abort(reason));
    await expect(bench.run({ signal: cancel.signal })).rejects.toBe(reason);
    const [row] = await bench.rows('select state, error, holder from imports');
    expect(row).toEqual({ state: 'failed', error: 'It was cancelled.', holder: null });
    expect(await listAbandonedImports(bench.test.ctx)).toEqual([]);
    expect(await bench.rows('select id from episodes')).toHaveLength(2);
  });

  it('before it has begun is as if it had never been', async () => {
    const input = { source: { url: `${bench.host.url}/feed.xml` }, owner: bench.owner };
    const signal = AbortSignal.abort(new Error('no'));
    await expect(importFeed(bench.test.ctx, { ...input, copyAudio: true, signal })).rejects.toThrow(
      'no',
    );
    expect(await bench.rows('select id from imports')).toEqual([]);
  });
});
