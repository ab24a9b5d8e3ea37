import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { newId } from '../../../lib/uuid.ts';
import { transact } from '../context.ts';
import { announceChange, type Change, type ChangeEvent, consumeChanges } from './index.ts';

const databases = useOneDatabase();
let test: TestContext;
beforeEach(async () => {
  test = await createTestContext({}, { databases });
  await rows(`delete from change_consumers where name <> 'notices'`);
});
afterEach(() => test[Symbol.asyncDispose]());

const podcastId = newId();
const changed = (id = podcastId): Change => ({ kind: 'podcast.changed', podcastId: id });
const rows = async (sql: string) => (await test.database.pool.query(sql)).rows;
const addConsumer = (name: string) =>
  rows(`insert into change_consumers (name, seq) values ('${name}', 0)`);

/** All pending events of the consumer, in order. */
async function consumeAll(consumer = 'notices', limit = 100): Promise<ChangeEvent[]> {
  const taken: ChangeEvent[] = [];
  const handle = async (_: unknown, changes: readonly ChangeEvent[]) => void taken.push(...changes);
  while ((await consumeChanges(test.ctx, consumer, limit, handle)) > 0);
  return taken;
}

describe('a change', () => {
  it('carries all its details', async () => {
    const [user, previous, account] = [newId(), newId(), newId()];
    const asUser = { ...test.ctx, principal: { kind: 'user', userId: previous } } as const;
    await transact(asUser, async (tx) => {
      const ownership = { userId: user, previousUserId: previous, podcastId } as const;
      await announceChange(tx, { kind: 'ownership.changed', ...ownership });
    });
    await announceChange(test.ctx, { kind: 'plan.changed', accountId: account, podcastIds: [] });
    const nothing = { episodeId: null, createdAt: test.clock.now() };
    expect(await consumeAll()).toEqual([
      {
        ...nothing,
        seq: 1,
        kind: 'ownership.changed',
        podcastId,
        userId: user,
        previousUserId: previous,
        accountId: null,
        actorUserId: previous,
      },
      {
        ...nothing,
        seq: 2,
        kind: 'plan.changed',
        podcastId: null,
        userId: null,
        previousUserId: null,
        accountId: account,
        actorUserId: null,
      },
    ]);
  });

  it('a change is not announced if its transaction rolls back', async () => {
    const undone = transact(test.ctx, async (tx) => {
      await announceChange(tx, changed());
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await consumeAll()).toEqual([]);
  });

  it('a change becomes one event in a transaction, also if something is created and changed', async () => {
    const episode = { podcastId, episodeId: newId() };
    await transact(test.ctx, async (tx) => {
      await announceChange(tx, { kind: 'episode.created', ...episode });
      await announceChange(tx, { kind: 'episode.changed', ...episode });
      await announceChange(tx, { kind: 'episode.status_changed', ...episode });
      await announceChange(tx, changed());
      await announceChange(tx, changed());
    });
    await announceChange(test.ctx, changed());
    expect((await consumeAll()).map(({ kind }) => kind)).toEqual([
      'episode.created',
      'episode.status_changed',
      'podcast.changed',
      'podcast.changed',
    ]);
  });

  it('invalidates the caches of public data, on commit', async () => {
    const heard: string[] = [];
    test.database.announcements.subscribe({
      onChange: (id) => void heard.push(id),
      onGap: () => undefined,
    });
    const [first, second] = [newId(), newId()];
    await transact(test.ctx, async (tx) => {
      await announceChange(tx, changed());
      const podcastIds = [first, second];
      await announceChange(tx, { kind: 'plan.changed', accountId: newId(), podcastIds });
      const membership = { podcastId: newId(), userId: newId() };
      await announceChange(tx, { kind: 'membership.removed', ...membership });
      expect(heard).toEqual([]);
    });
    expect(heard).toEqual([podcastId, first, second]);
  });
});

describe('consumeChanges', () => {
  it('gives every consumer each change once, in order, in any batch size', async () => {
    await addConsumer('second');
    const ids = Array.from({ length: 7 }, newId);
    for (const id of ids) await announceChange(test.ctx, changed(id));
    for (const consumer of ['notices', 'second']) {
      const taken = await consumeAll(consumer, 3);
      expect(taken.map((event) => event.podcastId)).toEqual(ids);
      expect(taken.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(await consumeAll(consumer)).toEqual([]);
    }
  });

  it('repeats what was not handled, and rolls the attempt back', async () => {
    await announceChange(test.ctx, changed());
    const failing = consumeChanges(test.ctx, 'notices', 10, async (tx) => {
      await announceChange(tx, changed(newId()));
      throw new Error('not now');
    });
    await expect(failing).rejects.toThrow('not now');
    expect((await consumeAll()).map((event) => event.podcastId)).toEqual([podcastId]);
  });

  it('keeps an event until all consumers have read it', async () => {
    await addConsumer('second');
    await announceChange(test.ctx, changed());
    await consumeAll('notices');
    expect(await rows('select seq from change_events')).toHaveLength(1);
    await consumeAll('second');
    expect(await rows('select seq from change_events')).toEqual([]);
    await announceChange(test.ctx, changed());
    expect((await consumeAll('second')).map(({ seq }) => seq)).toEqual([2]);
  });

  it('refuses an unknown consumer', async () => {
    await announceChange(test.ctx, changed());
    await expect(consumeAll('nobody')).rejects.toThrow();
  });
});

// Needs several connections; the embedded database has one.
describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'a consumer of concurrent transactions',
  () => {
    it('misses no change of a transaction that commits late', async () => {
      const late = new pg.Client(test.databaseUrl);
      await late.connect();
      const [early, between] = [newId(), newId()];
      await late.query('begin');
      const insert = `insert into change_events (kind, podcast_id, created_at) values ('podcast.changed', $1, now())`;
      await late.query(insert, [early]);
      await announceChange(test.ctx, changed(between));
      expect((await consumeAll()).map((event) => event.podcastId)).toEqual([between]);
      await late.query('commit');
      await late.end();
      expect((await consumeAll()).map((event) => event.podcastId)).toEqual([early]);
    });

    it('gives each change to one of several processes, in order', async () => {
      const ids = Array.from({ length: 60 }, newId);
      const taken: (string | null)[] = [];
      let isDone = false;
      const consume = async () => {
        for (let more = true; more; ) {
          // Read first: a change made during an empty batch is found by the next one.
          const wasDone = isDone;
          const count = await consumeChanges(test.ctx, 'notices', 4, async (_, changes) => {
            taken.push(...changes.map((event) => event.podcastId));
          });
          more = count > 0 || !wasDone;
          await new Promise(setImmediate);
        }
      };
      const make = async () => {
        for (const id of ids) await transact(test.ctx, (tx) => announceChange(tx, changed(id)));
        isDone = true;
      };
      await Promise.all([make(), consume(), consume()]);
      expect(taken).toEqual(ids);
    });
  },
);
