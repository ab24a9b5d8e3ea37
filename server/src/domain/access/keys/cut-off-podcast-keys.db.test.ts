import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeKey, makePodcast, makeUser } from '../../../../test/make.ts';
import { makeSite } from '../../../../test/make-site.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import { addMember, updatePodcast } from '../../publishing/podcasts/index.ts';
import {
  cutOffPodcastKeys,
  findKeyPrincipal,
  getKey,
  revokeKey,
  rollKey,
  widenKey,
} from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const reaches = async (secret: string, podcastId: string) => {
  const principal = await findKeyPrincipal(test.ctx, secret, { podcastId });
  return principal === undefined ? 'revoked' : principal.requested?.relation?.key?.isCovered;
};
/** A podcast with a member, another of the same owner, and keys of every sort. */
async function makeShow() {
  const [owner, member] = [await makeUser(test.ctx), await makeUser(test.ctx)];
  const podcast = await makePodcast(test.ctx, { owner, title: 'The show', teamKeys: true });
  const other = await makePodcast(test.ctx, { owner });
  await addMember(test.ctx, { podcastId: podcast.id, userId: member.id, role: 'editor' });
  const cutOff = () =>
    cutOffPodcastKeys(test.contextFor({ kind: 'user', userId: owner.id }), podcast.id);
  return { owner, member, podcast, other, cutOff };
}

// KEY-11, KEY-15, KEY-16
it('concerns every key that reads the podcast, whoever’s it is, under all its secrets', async () => {
  const { owner, member, podcast, other, cutOff } = await makeShow();
  const both = [podcast.id, other.id];
  const keys = {
    ownersAll: await makeKey(test.ctx, owner),
    ownersBoth: await makeKey(test.ctx, owner, { podcasts: both }),
    ownersOther: await makeKey(test.ctx, owner, { podcasts: [other.id] }),
    membersAll: await makeKey(test.ctx, member),
    membersOne: await makeKey(test.ctx, member, { podcasts: [podcast.id] }),
    strangers: await makeKey(test.ctx, await makeUser(test.ctx)),
  };
  const { key, secret: rolled } = keys.membersAll;
  await rollKey(test.ctx, { keyId: key.id, grace: '24h', expiresInDays: 90 });
  expect(await cutOff()).toEqual({ blockedKeys: 4, revokedKeys: 1 });
  const now = async (podcastId: string) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(keys).map(async ([name, { secret }]) => [
          name,
          await reaches(secret, podcastId),
        ]),
      ),
    );
  expect(await now(podcast.id)).toEqual({
    ownersAll: false,
    ownersBoth: false,
    ownersOther: false,
    membersAll: false,
    membersOne: 'revoked',
    // Not cut off: its user is not a member, so it reads nothing anyway.
    strangers: true,
  });
  expect(await now(other.id)).toMatchObject({ ownersAll: true, ownersBoth: true });
  expect(await reaches(rolled, podcast.id)).toBe(false);
  expect(await getKey(test.ctx, keys.ownersBoth.key.id)).toMatchObject({
    podcasts: [other.id],
    cutOffFrom: [podcast.id],
    revokedAt: null,
  });
  expect((await getKey(test.ctx, keys.ownersAll.key.id)).podcasts).toBe('all');
});

// KEY-16
it('a cut-off is permanent: the podcast cannot be given to the key again', async () => {
  const { owner, podcast, other, cutOff } = await makeShow();
  const named = await makeKey(test.ctx, owner, { podcasts: [podcast.id, other.id] });
  const all = await makeKey(test.ctx, owner);
  await cutOff();
  for (const { key, secret } of [named, all]) {
    for (const id of [podcast.id, podcast.id.toUpperCase()]) {
      const attempt = widenKey(test.ctx, { keyId: key.id, podcasts: [id] });
      const [detail] = (await refusalOf(attempt)).details ?? [];
      expect(detail).toMatchObject({ field: 'podcasts', reason: 'cut_off' });
    }
    await widenKey(test.ctx, { keyId: key.id, podcasts: 'all' });
    const rolled = await rollKey(test.ctx, { keyId: key.id, grace: '1h', expiresInDays: 30 });
    expect(await reaches(secret, podcast.id)).toBe(false);
    expect(await reaches(rolled.secret, podcast.id)).toBe(false);
    expect(await reaches(secret, other.id)).toBe(true);
  }
});

// KEY-16
it('a cut-off does not concern keys made afterwards, until it is repeated', async () => {
  const { member, podcast, cutOff } = await makeShow();
  await cutOff();
  const all = await makeKey(test.ctx, member);
  const one = await makeKey(test.ctx, member, { podcasts: [podcast.id] });
  expect(await reaches(all.secret, podcast.id)).toBe(true);
  expect(await reaches(one.secret, podcast.id)).toBe(true);
  expect(await cutOff()).toEqual({ blockedKeys: 2, revokedKeys: 1 });
  expect(await cutOff()).toEqual({ blockedKeys: 0, revokedKeys: 0 });
});

// KEY-15
it('a cut-off also blocks keys that could not read the podcast at that moment', async () => {
  const { member, podcast, cutOff } = await makeShow();
  await updatePodcast(test.ctx, podcast.id, { teamKeys: false });
  const left = await makeUser(test.ctx);
  const named = await makeKey(test.ctx, left, { podcasts: [podcast.id] });
  const kept = await makeKey(test.ctx, member);
  expect(await cutOff()).toEqual({ blockedKeys: 2, revokedKeys: 1 });
  await updatePodcast(test.ctx, podcast.id, { teamKeys: true });
  expect(await reaches(kept.secret, podcast.id)).toBe(false);
  expect(await reaches(named.secret, podcast.id)).toBe('revoked');
});

// KEY-15, KEY-17
it('leaves a connected site its key, and keys that have ended as they were', async () => {
  const { owner, member, podcast, cutOff } = await makeShow();
  const site = await makeSite(test.ctx, owner, [podcast]);
  const ended = await makeKey(test.ctx, member, { expiresInDays: 30 });
  const revoked = await makeKey(test.ctx, member, { expiresInDays: 365 });
  await revokeKey(test.ctx, revoked.key.id);
  const start = test.clock.now();
  test.clock.set(ended.key.expiresAt);
  expect(await cutOff()).toEqual({ blockedKeys: 1, revokedKeys: 0 });
  expect(await reaches(site.secret, podcast.id)).toBe(false);
  for (const { key } of [ended, revoked]) {
    expect((await getKey(test.ctx, key.id)).cutOffFrom).toEqual([]);
  }
  test.clock.set(start);
});

// KEY-15
it('a cut-off is allowed to the owner only', async () => {
  const { member, podcast } = await makeShow();
  const admin = await makeUser(test.ctx);
  await addMember(test.ctx, { podcastId: podcast.id, userId: admin.id, role: 'admin' });
  const attempt = async (userId: string) =>
    (await refusalOf(cutOffPodcastKeys(test.contextFor({ kind: 'user', userId }), podcast.id)))
      .kind;
  expect(await attempt(admin.id)).toBe('forbidden');
  expect(await attempt(member.id)).toBe('forbidden');
  expect(await attempt((await makeUser(test.ctx)).id)).toBe('not_found');
});

it('a cut-off is reported once to every user concerned, except the one who did it', async () => {
  const { owner, member, cutOff } = await makeShow();
  for (const user of [owner, member, member]) await makeKey(test.ctx, user);
  await cutOff();
  const { rows } = await test.database.pool.query(
    `select recipient, content::text from emails where template = 'keys-cut-off'
      and recipient = any ($1)`,
    [[owner.email, member.email]],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ recipient: member.email });
  expect(rows[0].content).toContain('The show');
});
