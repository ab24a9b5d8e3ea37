import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patience } from '../../../../test/patience.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts';
import { newId } from '../../../lib/uuid.ts';
import { inTransaction } from '../transaction.ts';
import {
  deleteChangesBefore,
  deleteForeignChanges,
  insertPodcastChange,
  selectChangesSince,
} from './podcast-changes.sql.ts';

// A snapshot is compared with transactions of other connections.
describe.runIf(process.env['TEST_DATABASE'] === 'postgres')('changes since a snapshot', () => {
  let database: TestDatabase<unknown>;
  let reader: pg.Client;
  let writer: pg.Client;
  let snapshot: string | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
    reader = new pg.Client(database.url);
    writer = new pg.Client(database.url);
    await Promise.all([reader.connect(), writer.connect()]);
    snapshot = undefined;
    expect(await read()).toBe('incomplete');
  });
  afterEach(async () => {
    await Promise.all([reader.end(), writer.end()]);
    await database[Symbol.asyncDispose]();
  });

  /** The podcasts changed since the last time. */
  async function read() {
    const found = await selectChangesSince(reader, snapshot);
    snapshot = found.snapshot;
    return found.isComplete ? found.changes.map(({ podcastId }) => podcastId) : 'incomplete';
  }

  const message = { channel: 'nobody', payload: 'nothing' };
  async function change(podcastId = newId()): Promise<string> {
    await insertPodcastChange(database.connection.query, podcastId, message);
    return podcastId;
  }
  const insert = (id: string) =>
    writer.query('insert into podcast_changes (podcast_id) values ($1)', [id]);

  it('changes since a snapshot are read once each, without those rolled back', async () => {
    const ids = [await change(), await change()];
    expect(await read()).toEqual(ids);
    expect(await read()).toEqual([]);
    const undone = inTransaction(database.connection.query, async (transaction) => {
      await insertPodcastChange(transaction, newId(), message);
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await read()).toEqual([]);
    const id = await change();
    expect(await read()).toEqual([id]);
  });

  it('changes since a snapshot include those of a transaction that began early and committed late', async () => {
    const late = newId();
    await writer.query('begin');
    await insert(late);
    const early = await change();
    expect(await read()).toEqual([early]);
    const between = await change();
    expect(await read()).toEqual([between]);
    await writer.query('commit');
    expect(await read()).toEqual([late]);
    expect(await read()).toEqual([]);
  });

  it('changes since a snapshot include those written after a savepoint, once committed', async () => {
    const id = newId();
    await writer.query('begin');
    await writer.query('savepoint one');
    await insert(id);
    await writer.query('release savepoint one');
    expect(await read()).toEqual([]);
    await writer.query('commit');
    expect(await read()).toEqual([id]);
  });

  it('changes since a snapshot have the same transaction id as the NOTIFY', async () => {
    const id = newId();
    const heard = Promise.withResolvers<string>();
    writer.on('notification', ({ payload }) => heard.resolve(payload ?? ''));
    await writer.query('listen podcasts');
    const told = { channel: 'podcasts', payload: `me ${id}` };
    const xid = await insertPodcastChange(database.connection.query, id, told);
    expect(await heard.promise).toBe(`me ${id} ${xid}`);
    const { changes } = await selectChangesSince(reader, snapshot);
    expect(changes).toEqual([{ xid, podcastId: id }]);
  });

  it('changes since a snapshot are incomplete if some of them were deleted', async () => {
    const old = snapshot;
    await change();
    await vi.waitFor(async () => {
      const id = await change();
      expect(await read()).toEqual([id]);
      await deleteChangesBefore(writer, snapshot ?? '');
      // A transaction that is open anywhere on the server keeps rows for longer.
      expect((await selectChangesSince(reader, old)).isComplete).toBe(false);
    }, patience);
  });

  it('changes since a snapshot are incomplete if there are too many', async () => {
    await writer.query(
      'insert into podcast_changes (podcast_id) select gen_random_uuid() from generate_series(1, 1001)',
    );
    expect(await read()).toBe('incomplete');
    expect(await read()).toEqual([]);
  });

  it('changes since a snapshot exclude those that a dump brought from another server', async () => {
    await sql`insert into podcast_changes (xid, podcast_id) values ('9000000000', ${newId()})`.execute(
      database.connection.query,
    );
    await sql`update podcast_changes_horizon set xid = '9000000000'`.execute(
      database.connection.query,
    );
    expect(await read()).toBe('incomplete');
    await deleteForeignChanges(writer);
    await read();
    const id = await change();
    expect(await read()).toEqual([id]);
  });
});
