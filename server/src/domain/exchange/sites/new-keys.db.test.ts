import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeKey, makePodcast, makeUser, testPassword } from '../../../../test/make.ts';
import { makeSite, makeUnregisteredKey } from '../../../../test/make-site.ts';
import { consumeNewKey } from '../../access/keys/index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

// LIM-21
it('a user can create 60 keys an hour, of people and of sites; the operator can create more', async () => {
  const owner = await makeUser(test.ctx);
  const show = await makePodcast(test.ctx, { owner });
  const asOwner = test.contextFor({ kind: 'user', userId: owner.id });
  const creations = {
    key: () => makeKey(asOwner, owner, { podcasts: [show.id], currentPassword: testPassword }),
    'site, by an exchange': () => makeSite(test.ctx, owner, [show]),
    'site, for a command line': () =>
      makeUnregisteredKey(asOwner, owner, [show], { currentPassword: testPassword }),
  };
  const counted = Object.values(creations).length;
  for (const create of Object.values(creations)) await create();
  for (let n = counted; n < 60; n += 1) await consumeNewKey(asOwner, owner.id);
  for (const [name, create] of Object.entries(creations)) {
    await expect(create(), name).rejects.toMatchObject({
      kind: 'rate_limited',
      retryAfterSeconds: 3_600,
    });
  }
  await makeKey(test.ctx, owner, { podcasts: [show.id] });
  await makeUnregisteredKey(test.ctx, owner, [show]);
  const other = await makeUser(test.ctx);
  await makeSite(test.ctx, other, [await makePodcast(test.ctx, { owner: other })]);
  test.clock.advance(3_600_000);
  for (const create of Object.values(creations)) await create();
});
