import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toneBytes, writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { patience } from '../../../../test/patience.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { leaseMs } from './import-limits.ts';
import { claimImport, selectRunningImports } from './imports.sql.ts';
import { type ImportReport, resumeImport } from './index.ts';
import { countDeaths, isAbandoned, keepLease, LeaseLostError, newLease } from './lease.ts';
import type { ImportProgress } from './report/import-report.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
const progress: ImportProgress = { phase: 'episodes', done: 0, total: 1 };

beforeEach(async () => {
  fixture = await openImportFixture(databases);
  fixture.host.serve(
    '/feed.xml',
    writeTestFeed({ items: [{ guid: '1', title: 'One', audio: 'https://cdn.example/1.mp3' }] }),
  );
  const onProgress = ({ phase }: { phase: string }) => {
    if (phase === 'audio') throw new Error('a crash');
  };
  await expect(fixture.run({ onProgress })).rejects.toThrow('a crash');
});
afterEach(() => fixture[Symbol.asyncDispose]());

const theImport = async () => (await selectRunningImports(fixture.test.ctx.db))[0]!;

async function claim() {
  const { ctx } = fixture.test;
  const found = await theImport();
  const lease = newLease(ctx);
  expect(await claimImport(ctx.db, found, lease, ctx.clock.now())).toBe(true);
  return { id: found.id, lease };
}

it('a lease is renewed with the progress of its import', async () => {
  const { ctx, clock } = fixture.test;
  const { id, lease } = await claim();
  const leased = keepLease(ctx, id, lease, { progress, renewEveryMs: 20 });
  leased.note({ phase: 'audio', done: 3, total: 7 });
  clock.advance(leaseMs - 1);
  const until = new Date(clock.now().getTime() + leaseMs);
  await vi.waitFor(async () => expect((await theImport()).lease?.until).toEqual(until), patience);
  expect((await theImport()).progress).toEqual({ phase: 'audio', done: 3, total: 7 });
  expect(isAbandoned(ctx, await theImport())).toBe(false);
  // It would renew the lease at the new time.
  leased[Symbol.dispose]();
  clock.advance(leaseMs + 1);
  expect(isAbandoned(ctx, await theImport())).toBe(true);
});

// FAULT-2
it('a lease from before the clock was set back by a day ends with its process', async () => {
  const { ctx, clock } = fixture.test;
  const dayMs = 24 * 3_600_000;
  clock.advance(dayMs);
  await claim();
  clock.advance(-1_000);
  expect(isAbandoned(ctx, await theImport())).toBe(false);
  clock.advance(1_000 - dayMs);
  expect(isAbandoned(ctx, await theImport())).toBe(true);
});

// FAULT-2
it('an import that is resumed because the clock jumped waits until its process has stopped', async () => {
  await using other = await openImportFixture(databases);
  const sound = await toneBytes(1);
  let [asked, open, mostOpen] = [0, 0, 0];
  other.host.serve(
    '/feed.xml',
    writeTestFeed({ items: [{ guid: '1', title: 'One', audio: `${other.host.url}/1.mp3` }] }),
  );
  other.host.respond('/1.mp3', (_request, response) => {
    asked += 1;
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.on('close', () => {
      open -= 1;
    });
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': sound.length });
    if (asked === 1) response.write(sound.subarray(0, 1_000));
    else response.end(sound);
  });
  const first = other.run({ limits: { leaseRenewalMs: 100 } }).catch((error: unknown) => error);
  await vi.waitFor(() => expect(asked).toBe(1), patience);
  const { ctx, clock } = other.test;
  const [found] = await selectRunningImports(ctx.db);
  let report: ImportReport | undefined;
  // Its process may have renewed the claim in between.
  while (report === undefined) {
    clock.advance(24 * 3_600_000);
    // Waits much longer than the first one needs to stop, also on a busy machine.
    report = await resumeImport(ctx, found?.id ?? '', { limits: { leaseRenewalMs: 2_000 } });
  }
  expect(report).toMatchObject({ failed: 0 });
  expect(await first).toBeInstanceOf(LeaseLostError);
  expect({ asked, mostOpen }).toEqual({ asked: 2, mostOpen: 1 });
});

it('losing the lease aborts the work', async () => {
  const { ctx } = fixture.test;
  const { id, lease } = await claim();
  using leased = keepLease(ctx, id, lease, { progress, renewEveryMs: 20 });
  const other = newLease(ctx);
  expect(await claimImport(ctx.db, { id, lease, deaths: 0 }, other, ctx.clock.now())).toBe(true);
  await vi.waitFor(() => expect(leased.signal.aborted).toBe(true), patience);
  expect(leased.signal.reason).toBeInstanceOf(LeaseLostError);
  expect((await theImport()).lease).toEqual(other);
});

it('an expired lease can be claimed only once', async () => {
  const { ctx } = fixture.test;
  const found = await theImport();
  const claims = [1, 2].map(() => claimImport(ctx.db, found, newLease(ctx), ctx.clock.now()));
  expect((await Promise.all(claims)).sort()).toEqual([false, true]);
});

it('only a holder that is not alive counts as a death', () => {
  const lease = newLease(fixture.test.ctx);
  const gone = { ...lease, holder: { ...lease.holder, startedAtTicks: '0' } };
  const elsewhere = { ...lease, holder: { ...lease.holder, place: 'another machine' } };
  expect(
    [null, lease, gone, elsewhere].map((one) => countDeaths({ deaths: 1, lease: one })),
  ).toEqual([1, 1, 2, 2]);
});
