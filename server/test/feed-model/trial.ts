import { expect } from 'vitest';
import { setPlan, type User } from '../../src/domain/foundation/accounts/index.ts';
import { transact } from '../../src/domain/foundation/context.ts';
import { DomainError } from '../../src/domain/foundation/errors.ts';
import { addPerson } from '../../src/domain/publishing/people/index.ts';
import { addMember } from '../../src/domain/publishing/podcasts/index.ts';
import { TransactionAbortedError } from '../../src/platform/database/connections/prepared-client.ts';
import { isSqlError } from '../../src/platform/database/sql-errors.ts';
import type { TestContext } from '../create-test-context.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { makeSite } from '../make-site.ts';
import { SiteReader } from '../site-reader.ts';
import { applyChange, type RandomChange, type Stage, type StagedShow } from './random-changes.ts';
import { readTruth } from './truth.ts';

export interface RandomRead {
  readonly reader: number;
  readonly limit: number;
  /** Begins at 0 again, with an empty copy. */
  readonly fresh: boolean;
}

/** A transaction that waits for its end. */
interface OpenTransaction {
  end(): void;
  readonly ended: Promise<unknown>;
}

const readersOfSite = 2;
const mostOpen = 2;

/** Shows, sites that follow them and readers of their feeds, all new. */
export class FeedTrial implements AsyncDisposable {
  readonly #test: TestContext;
  readonly #stage: Stage;
  readonly #readers: readonly SiteReader[];
  #open: OpenTransaction[] = [];

  private constructor(test: TestContext, stage: Stage, readers: readonly SiteReader[]) {
    this.#test = test;
    this.#stage = stage;
    this.#readers = readers;
  }

  static async begin(test: TestContext, ana: User, bo: User): Promise<FeedTrial> {
    test.clock.reset();
    const { ctx } = test;
    for (const { email } of [ana, bo]) {
      await setPlan(ctx, { email, plan: 'enterprise', planState: 'active' });
    }
    const shows: StagedShow[] = [];
    for (const owner of [ana, ana, bo]) shows.push(await makeShow(test, owner, bo));
    const [first, second, third] = shows as [StagedShow, StagedShow, StagedShow];
    const wanted = [
      { user: ana, of: [first, second], transcripts: false },
      { user: ana, of: [first], transcripts: true },
      { user: bo, of: [first, third], transcripts: true },
    ];
    const sites = [];
    const readers: SiteReader[] = [];
    for (const { user, of, transcripts } of wanted) {
      const site = await makeSite(ctx, user, of, { transcripts });
      sites.push({ siteId: site.siteId, podcastIds: of.map(({ id }) => id) });
      for (let at = 0; at < readersOfSite; at += 1) readers.push(new SiteReader(site));
    }
    return new FeedTrial(test, { ana, bo, shows, sites }, readers);
  }

  async change(change: RandomChange): Promise<void> {
    await this.#unlessBlocked(applyChange(this.#test.ctx, this.#stage, change));
  }

  /** Changes that a plan does not allow are read later. */
  async read(reads: readonly RandomRead[]): Promise<void> {
    // One copy is read by one reader at a time.
    const byReader = new Map(reads.map((read) => [read.reader % this.#readers.length, read]));
    await Promise.all(
      [...byReader].map(async ([at, { limit, fresh }]) => {
        const reader = this.#readers[at];
        if (fresh) reader?.restart();
        await reader?.read(limit).catch(ignoreRefusal);
      }),
    );
  }

  async race(change: RandomChange, reads: readonly RandomRead[]): Promise<void> {
    await Promise.all([this.change(change), this.read(reads)]);
  }

  /** Makes changes in a transaction that stays open. */
  async begin(
    changes: readonly RandomChange[],
    { fails }: { readonly fails: boolean },
  ): Promise<void> {
    if (this.#open.length === mostOpen) return;
    const gate = Promise.withResolvers<void>();
    const made = Promise.withResolvers<void>();
    const ended = transact(this.#test.ctx, async (tx) => {
      for (const change of changes) await applyChange(tx, this.#stage, change);
      made.resolve();
      await gate.promise;
      if (fails) throw new DomainError('invalid', 'rolled back');
    }).catch((error: unknown) => {
      made.resolve();
      if (!wasAborted(error)) ignoreRefusal(error);
    });
    this.#open.push({ end: gate.resolve, ended });
    await this.#unlessBlocked(made.promise);
  }

  async endTransactions(): Promise<void> {
    const open = this.#open.splice(0);
    for (const { end } of open) end();
    await Promise.all(open.map(({ ended }) => ended));
  }

  /** Waits for `work`; ends the open transactions if one of them keeps it waiting. */
  async #unlessBlocked(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    while (!isDone && this.#open.length > 0) {
      const blocked = await this.#test.database.pool.query(`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      if (blocked.rowCount !== 0) await this.endTransactions();
    }
    await done;
  }

  wait(minutes: number): void {
    this.#test.clock.advance(minutes * 60_000);
  }

  /** Reads every feed to its end, and checks that each copy matches the truth. */
  async expectTruth(): Promise<void> {
    const hashes = new Map<string, string>();
    for (const [at, { siteId }] of this.#stage.sites.entries()) {
      const { shown, waiting, existing } = await this.#truthOf(siteId);
      const copies = [];
      for (const reader of this.#readersOf(at)) {
        if (!(await this.#catchUp(reader))) continue;
        const held = [...reader.held].filter(([, { podcastId }]) => !waiting.has(podcastId));
        expect(new Map(held.map(([id, { episode }]) => [id, episode]))).toEqual(shown);
        copies.push(new Map(held));
        for (const [id, { podcastId, reason }] of reader.ended) {
          if (reason === 'deleted') expect(existing.has(id)).toBe(false);
          if (reason === 'unpublished' && !waiting.has(podcastId))
            expect(existing.has(id)).toBe(true);
        }
        for (const { episode, contentHash } of reader.held.values()) {
          const content = JSON.stringify(episode);
          expect(hashes.get(content) ?? contentHash).toBe(contentHash);
          hashes.set(content, contentHash);
        }
      }
      for (const copy of copies) expect(copy).toEqual(copies[0]);
    }
    expect(new Set(hashes.values()).size).toBe(hashes.size);
  }

  /** After this, no reader is held back. */
  async bringAllToLife(): Promise<void> {
    for (let show = 0; show < this.#stage.shows.length; show += 1) {
      const change = { show, episode: 0, value: 1 };
      for (const name of ['pay', 'resume', 'activate', 'setTeamKeys'] as const) {
        await this.change({ ...change, name });
      }
    }
    for (const { siteId } of this.#stage.sites) {
      expect((await this.#truthOf(siteId)).waiting).toEqual(new Set());
    }
  }

  /** Changes of fields that posts do not show must not get a number in the feed. */
  async expectNothingNew(): Promise<void> {
    for (const [show, { episodeIds }] of this.#stage.shows.entries()) {
      for (let episode = 0; episode < episodeIds.length; episode += 1) {
        await this.change({ name: 'touch', show, episode, value: 2 });
      }
      await this.change({ name: 'editShow', show, episode: 0, value: 1 });
    }
    for (const reader of this.#readers) {
      const before = reader.position;
      await this.#catchUp(reader);
      expect(reader.position).toBe(before);
    }
  }

  #truthOf(siteId: string) {
    return readTruth(this.#test.database.pool, siteId, this.#test.clock.now());
  }

  #readersOf(site: number): readonly SiteReader[] {
    const { siteId } = this.#stage.sites[site] ?? {};
    return this.#readers.filter((reader) => reader.siteId === siteId);
  }

  /** Returns false if no plan allows reading. */
  async #catchUp(reader: SiteReader): Promise<boolean> {
    try {
      await reader.catchUp();
      return true;
    } catch (error) {
      ignoreRefusal(error);
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endTransactions();
    const { pool } = this.#test.database;
    await pool.query('delete from sites');
    await pool.query('delete from podcasts');
  }
}

/** An earlier violation of a constraint has ended the transaction. */
function wasAborted(error: unknown): boolean {
  if (error instanceof TransactionAbortedError) return true;
  return isSqlError(error) && error.code === '25P02';
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}

async function makeShow(test: TestContext, owner: User, bo: User): Promise<StagedShow> {
  const { ctx } = test;
  const podcast = await makePodcast(ctx, { owner });
  const { id: podcastId } = podcast;
  if (owner.id !== bo.id) await addMember(ctx, { podcastId, userId: bo.id, role: 'admin' });
  const personIds = [];
  for (const name of ['Bo', 'Cy', 'Di']) {
    const roster = name === 'Cy';
    const userId = name === 'Bo' ? bo.id : null;
    personIds.push((await addPerson(ctx, { podcastId, name, roster, userId })).id);
  }
  const { rows } = await test.database.pool.query(
    `insert into images (id, podcast_id, content_type, width, height, size_bytes, sha256, created_at)
     select gen_random_uuid(), $1, kind, 1, 1, 1, kind, now()
     from unnest(array['image/png', 'image/jpeg']) kind returning id`,
    [podcastId],
  );
  const episodeIds = [];
  const inMinutes = (minutes: number) => new Date(ctx.clock.now().getTime() + minutes * 60_000);
  const made = [
    { status: 'published' },
    { status: 'draft' },
    { status: 'scheduled', scheduledFor: inMinutes(4) },
    { status: 'scheduled', scheduledFor: inMinutes(25) },
  ] as const;
  for (const input of made) episodeIds.push((await makeEpisode(ctx, podcast, input)).id);
  const imageIds = rows.map(({ id }) => String(id));
  return { id: podcastId, owner, episodeIds, personIds, imageIds };
}
