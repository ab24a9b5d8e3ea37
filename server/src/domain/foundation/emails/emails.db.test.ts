import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { transact } from '../context.ts';
import { queueEmail } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const waiting = async (to: string) => {
  const { rows } = await test.database.pool.query(
    'select template, content, state, attempts from emails where recipient = $1 order by id',
    [to],
  );
  return rows;
};

describe('queueEmail', () => {
  it('queues an email only if its transaction commits', async () => {
    const email = { template: 'member-removed', values: { podcast: 'Night Signals' } } as const;
    await transact(test.ctx, (tx) => queueEmail(tx, { ...email, to: 'ana@example.com' }));
    expect(await waiting('ana@example.com')).toEqual([
      {
        template: 'member-removed',
        content: { podcast: 'Night Signals' },
        state: 'waiting',
        attempts: 0,
      },
    ]);
    const undone = transact(test.ctx, async (tx) => {
      await queueEmail(tx, { ...email, to: 'bo@example.com' });
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await waiting('bo@example.com')).toEqual([]);
  });

  it('drops a second email with the same key, also of two at once', async () => {
    const queue = (key?: string) =>
      queueEmail(test.ctx, {
        template: 'member-removed',
        to: 'cy@example.com',
        values: { podcast: 'x' },
        key,
      });
    await Promise.all([queue('once'), queue('once'), queue('once')]);
    await queue('once');
    expect(await waiting('cy@example.com')).toHaveLength(1);
    await Promise.all([queue(), queue()]);
    expect(await waiting('cy@example.com')).toHaveLength(3);
  });

  it.each([
    'ana@example.com\r\nBcc: eve@example.com',
    'ana@example.com, eve@example.com',
    'Ana <ana@example.com>',
    'ana',
  ])('refuses what is not one address: %j', async (to) => {
    const queued = queueEmail(test.ctx, {
      template: 'member-removed',
      to,
      values: { podcast: 'x' },
    });
    await expect(queued).rejects.toThrow(
      'member-removed cannot be sent: its recipient is not an email address',
    );
  });
});
