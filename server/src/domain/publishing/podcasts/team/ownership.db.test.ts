import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beforeCommit } from '../../../../../test/before-commit.ts';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { findEmails, findEmailToken } from '../../../../../test/find-emails.ts';
import { makePodcast, makeUser } from '../../../../../test/make.ts';
import { fieldsRefused, refusalOf } from '../../../../../test/refusal-of.ts';
import { isOnServer } from '../../../../../test/which-database.ts';
import { createUser, type User } from '../../../foundation/accounts/index.ts';
import {
  addMember,
  declineOwnership,
  findOwnershipOffer,
  getInvitation,
  getOwnershipOffer,
  getPodcast,
  inviteMember,
  listMembers,
  moveToNewOwner,
  offerOwnership,
  type Podcast,
  setTeamKeys,
  updatePodcast,
  withdrawOwnership,
} from '../index.ts';

let test: TestContext;
let owner: User;
let heir: User;
let podcast: Podcast;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  [owner, heir] = [await makeUser(test.ctx), await makeUser(test.ctx, 'free')];
  podcast = await makePodcast(test.ctx, { owner, title: 'Night Signals', teamKeys: true });
});

const dayMs = 24 * 3_600_000;
const currentPassword = 'correct horse';
const as = ({ id: userId }: { id: string }) => test.contextFor({ kind: 'user', userId });
const offer = async (to: { email: string } = heir, by: User = owner) => {
  await offerOwnership(as(by), { podcastId: podcast.id, email: to.email, currentPassword });
  test.clock.advance(1);
  return findEmailToken(test, to.email);
};
const accept = (token: string, user: { id: string } = heir, teamKeys = false) =>
  moveToNewOwner(as(user), { token, teamKeys });
const rolesNow = async () =>
  Object.fromEntries(
    (await listMembers(test.ctx, podcast.id)).map(({ email, role }) => [email, role]),
  );
const told = async () =>
  (
    await test.database.pool.query(
      `select user_id as "userId", previous_user_id as "previousUserId" from change_events
       where podcast_id = $1 and kind = 'ownership.changed'`,
      [podcast.id],
    )
  ).rows;

describe('an offer', () => {
  // ACCT-19
  it('an offer is an email; nothing changes before it is accepted', async () => {
    const token = await offer();
    const [email] = await findEmails(test, heir.email);
    const open = await findOwnershipOffer(as(owner), podcast.id);
    expect(email).toMatchObject({
      template: 'ownership-offer',
      values: {
        ...{ owner: owner.name, podcast: 'Night Signals' },
        until: open?.expiresAt.toISOString(),
      },
    });
    expect(open).toMatchObject({ email: heir.email });
    expect(await getOwnershipOffer(test.ctx, token)).toMatchObject({
      podcastId: podcast.id,
      podcastTitle: 'Night Signals',
      ownerName: owner.name,
      email: heir.email,
      hasAccount: true,
    });
    expect(await rolesNow()).toEqual({ [owner.email]: 'owner' });
    expect((await getPodcast(test.ctx, podcast.id)).accountId).toBe(owner.accountId);
  });

  it('requires the password, and an address of somebody else', async () => {
    const give = (email: string, password: string) =>
      offerOwnership(as(owner), { podcastId: podcast.id, email, currentPassword: password });
    expect(await fieldsRefused(give(heir.email, 'wrong horse'))).toBe('current_password');
    expect(await fieldsRefused(give('nobody', currentPassword))).toBe('email');
    expect(await fieldsRefused(give(owner.email.toUpperCase(), currentPassword))).toBe('email');
  });

  it('an offer is one at a time, for seven days, and may be withdrawn or declined', async () => {
    const other = await makeUser(test.ctx);
    const first = await offer();
    const second = await offer(other);
    expect(await fieldsRefused(accept(first))).toBe('token');
    test.clock.advance(7 * dayMs - 2);
    expect(await getOwnershipOffer(test.ctx, second)).toMatchObject({ email: other.email });
    test.clock.advance(1);
    expect(await fieldsRefused(accept(second, other))).toBe('token');
    expect(await findOwnershipOffer(as(owner), podcast.id)).toBeUndefined();

    const third = await offer();
    await withdrawOwnership(as(owner), podcast.id);
    expect(await fieldsRefused(accept(third))).toBe('token');
    const fourth = await offer();
    await declineOwnership(test.contextFor({ kind: 'public' }), fourth);
    expect(await fieldsRefused(accept(fourth))).toBe('token');
    expect(await fieldsRefused(declineOwnership(test.ctx, fourth))).toBe('token');
    expect(await rolesNow()).toEqual({ [owner.email]: 'owner' });
  });

  it('an offer waits for somebody who has no account yet', async () => {
    const email = 'heir-to-be@example.com';
    const token = await offer({ email });
    expect(await getOwnershipOffer(test.ctx, token)).toMatchObject({ hasAccount: false });
    const user = await createUser(test.ctx, { email: email.toUpperCase(), password: 'a password' });
    await accept(token, user);
    expect((await getPodcast(test.ctx, podcast.id)).accountId).toBe(user.accountId);
  });
});

describe('handing a show over', () => {
  // ACCT-19, ACCT-20
  it.each([true, false])(
    'moves the podcast, on any plan; the receiver says about team keys: %s',
    async (teamKeys) => {
      await setTeamKeys(as(owner), { podcastId: podcast.id, allowed: !teamKeys });
      expect(await accept(await offer(), heir, teamKeys)).toEqual({
        podcastId: podcast.id,
        previousUserId: owner.id,
      });
      const moved = await getPodcast(test.ctx, podcast.id);
      expect(moved).toEqual({
        ...podcast,
        revision: podcast.revision + 1,
        accountId: heir.accountId,
        teamKeys,
      });
      expect(await rolesNow()).toEqual({ [heir.email]: 'owner', [owner.email]: 'admin' });
      expect(await told()).toEqual([{ userId: heir.id, previousUserId: owner.id }]);
      expect(await fieldsRefused(offer(owner))).toBe('forbidden');
    },
  );

  // ACCT-20, DOMAIN-13
  it('handing over keeps the domain, which the offer names, but leads no subscribers there', async () => {
    expect(await getOwnershipOffer(test.ctx, await offer())).toMatchObject({ domain: null });
    const host = `${podcast.slug}.example`;
    await test.database.pool.query(
      `insert into podcast_domains (podcast_id, host, token, created_at)
       values ($1, $2, 'token', now())`,
      [podcast.id, host],
    );
    await updatePodcast(test.ctx, podcast.id, { redirectFeed: true, confirmMove: true });
    const token = await offer();
    expect(await getOwnershipOffer(test.ctx, token)).toMatchObject({ domain: host });
    await accept(token);
    const off = { redirectFeed: false, confirmMove: false };
    expect(await getPodcast(test.ctx, podcast.id)).toMatchObject(off);
    const { rows } = await test.database.pool.query(
      'select host from podcast_domains where podcast_id = $1',
      [podcast.id],
    );
    expect(rows).toEqual([{ host }]);
  });

  it('handing over works with a member, too', async () => {
    const [{ id: userId }, third] = [heir, await makeUser(test.ctx)];
    await addMember(test.ctx, {
      podcastId: podcast.id,
      userId,
      role: 'custom',
      roleName: 'Clerk',
      capabilities: [],
    });
    await addMember(test.ctx, { podcastId: podcast.id, userId: third.id, role: 'admin' });
    await accept(await offer());
    expect(await rolesNow()).toEqual({
      [heir.email]: 'owner',
      [owner.email]: 'admin',
      [third.email]: 'admin',
    });
  });

  it('handing over is for the user with the address', async () => {
    const stranger = await makeUser(test.ctx);
    const token = await offer();
    expect(await fieldsRefused(accept(token, stranger))).toBe('forbidden');
    await accept(token);
  });

  it('happens once, also with two requests at the same moment', async () => {
    const token = await offer();
    const tries = await Promise.allSettled([accept(token), accept(token), accept(token)]);
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await fieldsRefused(accept(token))).toBe('token');
    expect(await told()).toHaveLength(1);
  });

  it('handing over does not happen together with a withdrawal at the same moment', async () => {
    const token = await offer();
    const [accepted, withdrawn] = await Promise.allSettled([
      accept(token),
      withdrawOwnership(as(owner), podcast.id),
    ]);
    const roles = await rolesNow();
    expect(accepted.status === 'fulfilled').toBe(roles[heir.email] === 'owner');
    expect([accepted.status, withdrawn.status].sort()).toEqual(['fulfilled', 'rejected']);
  });

  it.runIf(isOnServer)(
    'handing over does not happen if it is declined at the same moment',
    async () => {
      const token = await offer();
      const declining = ['delete from ownership_offers where podcast_id = $1'];
      const accepted = beforeCommit(test, podcast.id, declining, () => accept(token));
      expect(await fieldsRefused(accepted)).toBe('token');
      expect(await rolesNow()).toEqual({ [owner.email]: 'owner' });
    },
  );

  it('handing over is refused if the account has the same show, and can be tried again', async () => {
    const token = await offer();
    const twin = await makePodcast(test.ctx, { owner: heir, guid: podcast.guid });
    const refusal = await refusalOf(accept(token));
    expect(refusal.details[0]?.reason).toBe('guid_taken');
    expect(refusal.message).toContain('GUID');
    expect(await rolesNow()).toEqual({ [owner.email]: 'owner' });
    await test.database.pool.query('delete from podcasts where id = $1', [twin.id]);
    await accept(token);
  });

  it('handing over ends the invitations of the old owner', async () => {
    const email = 'admin-to-be@example.com';
    await inviteMember(as(owner), { podcastId: podcast.id, email, role: 'admin' });
    await accept(await offer());
    const late = getInvitation(test.ctx, await findEmailToken(test, email));
    expect(await fieldsRefused(late)).toBe('token');
  });

  it('handing over can be reversed by another one', async () => {
    await accept(await offer());
    await accept(await offer(owner, heir), owner, true);
    expect(await getPodcast(test.ctx, podcast.id)).toEqual({ ...podcast, teamKeys: true });
    expect(await rolesNow()).toEqual({ [owner.email]: 'owner', [heir.email]: 'admin' });
  });
});
