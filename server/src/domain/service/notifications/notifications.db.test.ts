import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../test/make.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { setPlan, type User } from '../../foundation/accounts/index.ts';
import { transact } from '../../foundation/context.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import {
  addMember,
  leavePodcast,
  type Podcast,
  removeMember,
} from '../../publishing/podcasts/index.ts';
import { notifyOfChanges } from './index.ts';

const databases = useOneDatabase();
let test: TestContext;
let owner: User;
let member: User;
let podcast: Podcast;
beforeEach(async () => {
  test = await createTestContext({}, { databases });
  owner = await makeUser(test.ctx);
  member = await makeUser(test.ctx);
  podcast = await makePodcast(test.ctx, { owner, title: 'Night Signals' });
  await addMember(test.ctx, { podcastId: podcast.id, userId: member.id, role: 'editor' });
});
afterEach(() => test[Symbol.asyncDispose]());

const as = ({ id }: User) => test.contextFor({ kind: 'user', userId: id });
const membership = () => ({ podcastId: podcast.id, userId: member.id });

/** All emails about what has happened so far, after reading every change. */
async function told() {
  await notifyOfChanges(test.ctx);
  await notifyOfChanges(test.ctx);
  const sql = 'select template, recipient, content from emails order by id';
  return (await test.database.pool.query(sql)).rows;
}

describe('a member', () => {
  it('a member gets one email if somebody removes them', async () => {
    await removeMember(as(owner), membership());
    const content = { podcast: 'Night Signals' };
    expect(await told()).toEqual([
      { template: 'member-removed', recipient: member.email, content },
    ]);
  });

  it('a member gets no email for leaving, or for a removal that was undone', async () => {
    await leavePodcast(as(member), podcast.id);
    expect(await told()).toEqual([]);
    await addMember(test.ctx, { ...membership(), role: 'editor' });
    await removeMember(as(owner), membership());
    await addMember(test.ctx, { ...membership(), role: 'analyst' });
    expect(await told()).toEqual([]);
  });

  it('a member gets no email if the podcast or the user no longer exists', async () => {
    await removeMember(as(owner), membership());
    await test.database.pool.query('delete from podcasts where id = $1', [podcast.id]);
    expect(await told()).toEqual([]);
  });
});

it('a handover sends emails to both owners', async () => {
  await transact(test.ctx, (tx) =>
    announceChange(tx, {
      kind: 'ownership.changed',
      podcastId: podcast.id,
      userId: member.id,
      previousUserId: owner.id,
    }),
  );
  const content = { podcast: 'Night Signals', from: owner.name, to: member.name };
  expect(await told()).toEqual(
    [owner, member].map(({ email }) => ({
      template: 'ownership-handed-over',
      recipient: email,
      content,
    })),
  );
});

describe('the user of an account', () => {
  const planOf = (plan: string, planState: 'active' | 'lapsed') =>
    setPlan(test.ctx, { email: owner.email, plan, planState });

  it('the user of an account gets one email with the name of the new plan', async () => {
    await planOf('studio', 'lapsed');
    expect(await told()).toEqual([
      {
        template: 'plan-changed',
        recipient: owner.email,
        content: {
          name: owner.name,
          plan: 'Studio',
          state: { sentence: 'planLapsed', values: {} },
        },
      },
    ]);
    await planOf('studio', 'lapsed');
    expect(await told()).toHaveLength(1);
  });

  it('the user of an account gets one email with the latest plan for several changes', async () => {
    await planOf('free', 'active');
    await planOf('studio', 'lapsed');
    await planOf('creator', 'active');
    const content = {
      name: owner.name,
      plan: 'Creator',
      state: { sentence: 'planActive', values: {} },
    };
    expect(await told()).toEqual([{ template: 'plan-changed', recipient: owner.email, content }]);
  });
});
