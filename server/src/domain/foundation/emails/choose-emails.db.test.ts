import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeUser } from '../../../../test/make.ts';
import type { User } from '../accounts/index.ts';
import {
  listUnwantedEmails,
  type NewEmail,
  optionalEmails,
  queueEmail,
  setUnwantedEmails,
} from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const asUser = ({ id }: User) => test.contextFor({ kind: 'user', userId: id });
const queued = async (to: string) => {
  const { rows } = await test.database.pool.query<{ template: string }>(
    'select template from emails where lower(recipient) = lower($1) order by template',
    [to],
  );
  return rows.map(({ template }) => template);
};
const removed = { template: 'member-removed', values: { podcast: 'Night Signals' } } as const;
const handedOver: Omit<NewEmail<'ownership-handed-over'>, 'to'> = {
  template: 'ownership-handed-over',
  values: { podcast: 'Night Signals', from: 'Ana', to: 'Bo' },
};

// ACCT-21
it('drops an email that its reader does not want, and sends all others', async () => {
  const user = await makeUser(test.ctx);
  const other = await makeUser(test.ctx);
  await setUnwantedEmails(asUser(user), ['member-removed']);
  for (const to of [user.email.toUpperCase(), other.email, 'nobody@example.com']) {
    await queueEmail(test.ctx, { ...removed, to });
    await queueEmail(test.ctx, { ...handedOver, to });
  }
  expect(await queued(user.email)).toEqual(['ownership-handed-over']);
  expect(await queued(other.email)).toEqual(['member-removed', 'ownership-handed-over']);
  expect(await queued('nobody@example.com')).toEqual(['member-removed', 'ownership-handed-over']);
});

// ACCT-21
it('sends a necessary email, whatever the row says', async () => {
  const user = await makeUser(test.ctx);
  await setUnwantedEmails(asUser(user), []);
  await test.database.pool.query(
    "update email_choices set unwanted = '{ownership-handed-over,gone}' where user_id = $1",
    [user.id],
  );
  await queueEmail(test.ctx, { ...handedOver, to: user.email });
  expect(await queued(user.email)).toEqual(['ownership-handed-over']);
  expect(await listUnwantedEmails(asUser(user))).toEqual([]);
});

it('the choice of emails can be changed at any time', async () => {
  const user = await makeUser(test.ctx);
  const ctx = asUser(user);
  expect(await listUnwantedEmails(ctx)).toEqual([]);
  await Promise.all([
    setUnwantedEmails(ctx, optionalEmails),
    setUnwantedEmails(ctx, optionalEmails),
  ]);
  expect(await listUnwantedEmails(ctx)).toEqual(optionalEmails);
  await setUnwantedEmails(ctx, []);
  await queueEmail(test.ctx, { ...removed, to: user.email });
  expect(await queued(user.email)).toEqual(['member-removed']);
});
