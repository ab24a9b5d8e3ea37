import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beforeCommit } from '../../../../../test/before-commit.ts';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { findEmails, findEmailToken } from '../../../../../test/find-emails.ts';
import { makePodcast, makeUser } from '../../../../../test/make.ts';
import { fieldsRefused, refusalOf } from '../../../../../test/refusal-of.ts';
import { isOnServer } from '../../../../../test/which-database.ts';
import { newId } from '../../../../lib/uuid.ts';
import { findSession, signUpByInvitation } from '../../../access/sessions/index.ts';
import type { User } from '../../../foundation/accounts/index.ts';
import { authorize } from '../../../foundation/permissions/index.ts';
import { addPerson } from '../../people/index.ts';
import {
  acceptInvitation,
  addMember,
  changeMember,
  declineInvitation,
  type GivenRole,
  getInvitation,
  inviteMember,
  leavePodcast,
  listInvitations,
  listMembers,
  type Podcast,
  removeMember,
  revokeInvitation,
} from '../index.ts';

let test: TestContext;
let owner: User;
let podcast: Podcast;
beforeAll(async () => {
  test = await createTestContext();
  owner = await makeUser(test.ctx);
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  podcast = await makePodcast(test.ctx, { owner, title: 'Night Signals' });
});

const dayMs = 24 * 3_600_000;
const as = ({ id: userId }: { id: string }) => test.contextFor({ kind: 'user', userId });
const newAddress = () => `Person-${newId().slice(-8)}@example.com`;
const invite = (email: string, given: GivenRole = { role: 'editor' }, by: { id: string } = owner) =>
  inviteMember(as(by), { podcastId: podcast.id, email, ...given });
const tokenTo = (email: string) => findEmailToken(test, email);
const join = async (given: GivenRole) => {
  const user = await makeUser(test.ctx);
  await addMember(test.ctx, { podcastId: podcast.id, userId: user.id, ...given });
  return user;
};
const roleOf = async ({ id }: { id: string }) =>
  (await listMembers(test.ctx, podcast.id)).find(({ userId }) => userId === id)?.role;
const told = async () =>
  (
    await test.database.pool.query(
      `select kind, user_id as "userId" from change_events
       where podcast_id = $1 and kind like 'membership.%' order by id`,
      [podcast.id],
    )
  ).rows;

describe('an invitation', () => {
  it('an invitation is an email that makes its reader a member', async () => {
    const user = await makeUser(test.ctx);
    const given: GivenRole = {
      role: 'custom',
      roleName: ' Archivist ',
      capabilities: ['episodes.view_all', 'analytics.view', 'episodes.view_all'],
    };
    const invitation = await invite(user.email.toUpperCase(), given);
    const [email] = await findEmails(test, user.email.toUpperCase());
    expect(email).toMatchObject({
      template: 'invitation',
      values: {
        ...{ inviter: owner.name, podcast: 'Night Signals' },
        role: { role: 'custom', roleName: 'Archivist' },
        until: invitation.expiresAt.toISOString(),
      },
    });
    const token = await tokenTo(user.email.toUpperCase());
    const { link, mayManage, ...stored } = invitation;
    expect(mayManage).toBe(true);
    expect(link).not.toContain(token);
    expect(await getInvitation(test.ctx, token)).toEqual({
      ...stored,
      role: 'custom',
      roleName: 'Archivist',
      capabilities: ['analytics.view', 'episodes.view_all'],
      podcastTitle: 'Night Signals',
      inviterName: owner.name,
      hasAccount: true,
    });
    expect(await listInvitations(as(owner), podcast.id)).toEqual([invitation]);
    expect(await acceptInvitation(as(user), token)).toEqual({ podcastId: podcast.id });
    await authorize(as(user), 'analytics.read', { podcastId: podcast.id });
    expect(await listInvitations(as(owner), podcast.id)).toEqual([]);
    expect(await told()).toEqual([{ kind: 'membership.added', userId: user.id }]);
  });

  it('an invitation is kept as the SHA-256 of its token', async () => {
    const email = newAddress();
    await invite(email);
    const { rows } = await test.database.pool.query('select * from invitations');
    expect(JSON.stringify(rows)).not.toContain(await tokenTo(email));
  });

  it('an invitation has a link to copy, which does not prove that its reader owns the address', async () => {
    const email = newAddress();
    const { link } = await invite(email);
    const token = new URL(link).searchParams.get('token') ?? '';
    expect(await getInvitation(test.ctx, token)).toMatchObject({ email, hasAccount: null });
    const account = { name: 'Bo', password: 'correct horse', acceptsTerms: true };
    const client = { network: newId() };
    expect(await fieldsRefused(signUpByInvitation(test.ctx, { ...account, token, client }))).toBe(
      'token',
    );
    // Nor does it reveal whether the address has an account.
    const [user, stranger] = [await makeUser(test.ctx), await makeUser(test.ctx)];
    const known = new URL((await invite(user.email)).link).searchParams.get('token') ?? '';
    expect((await getInvitation(test.ctx, known)).hasAccount).toBeNull();
    expect((await refusalOf(acceptInvitation(as(stranger), known))).kind).toBe('forbidden');
    await acceptInvitation(as(user), known);
    expect(await roleOf(user)).toBe('editor');
    expect(await fieldsRefused(getInvitation(test.ctx, known))).toBe('token');
  });

  it('an invitation has a link to copy that nobody can make, and that ends with it', async () => {
    const email = newAddress();
    const tokenOf = ({ link }: { link: string }) => new URL(link).searchParams.get('token') ?? '';
    const [first, other] = [tokenOf(await invite(email)), tokenOf(await invite(newAddress()))];
    const [id = '', mac = ''] = first.split('.');
    const forged = [`${other.split('.')[0]}.${mac}`, `${id}.${mac.slice(1)}`, `${id}.`, id, mac];
    for (const token of [...forged, `${first}.`]) {
      expect(await fieldsRefused(getInvitation(test.ctx, token))).toBe('token');
    }
    const second = tokenOf(await invite(email));
    expect(await fieldsRefused(getInvitation(test.ctx, first))).toBe('token');
    const invitationId = second.split('.')[0] ?? '';
    await revokeInvitation(as(owner), { podcastId: podcast.id, invitationId });
    expect(await fieldsRefused(getInvitation(test.ctx, second))).toBe('token');
  });

  it('an invitation is accepted once, also by two requests at the same moment', async () => {
    const user = await makeUser(test.ctx);
    await invite(user.email);
    const token = await tokenTo(user.email);
    const tries = await Promise.allSettled([1, 2].map(() => acceptInvitation(as(user), token)));
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await fieldsRefused(acceptInvitation(as(user), token))).toBe('token');
    expect(await told()).toHaveLength(1);
  });

  it('an invitation is for the user with the address', async () => {
    const email = newAddress();
    await invite(email);
    const stranger = await makeUser(test.ctx);
    const refusal = await refusalOf(acceptInvitation(as(stranger), await tokenTo(email)));
    expect([refusal.kind, refusal.message]).toEqual(['forbidden', expect.stringContaining(email)]);
    expect(await roleOf(stranger)).toBeUndefined();
    expect(await listInvitations(as(owner), podcast.id)).toHaveLength(1);
  });

  it('creates an account if there is none', async () => {
    const email = newAddress();
    await invite(email, { role: 'cohost' });
    const token = await tokenTo(email);
    expect(await getInvitation(test.ctx, token)).toMatchObject({ email, hasAccount: false });
    const account = { name: 'Bo', password: 'correct horse', acceptsTerms: true };
    const client = { network: newId() };
    const input = { ...account, token, client };
    const wrong = signUpByInvitation(test.ctx, { ...input, password: 'short' });
    expect(await fieldsRefused(wrong)).toBe('password');
    const tries = await Promise.allSettled([1, 2].map(() => signUpByInvitation(test.ctx, input)));
    const [signedIn] = tries.flatMap((tried) => (tried.status === 'fulfilled' ? tried.value : []));
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const session = await findSession(test.ctx, signedIn?.token ?? '');
    expect(session).toMatchObject({ email, userName: 'Bo' });
    expect(await roleOf({ id: session?.userId ?? '' })).toBe('cohost');
  });

  it('creates no second account for one address', async () => {
    const user = await makeUser(test.ctx);
    await invite(user.email);
    const attempt = signUpByInvitation(test.ctx, {
      name: 'Bo',
      password: 'correct horse',
      acceptsTerms: true,
      token: await tokenTo(user.email),
      client: { network: newId() },
    });
    expect((await refusalOf(attempt)).details[0]?.reason).toBe('address_taken');
    await acceptInvitation(as(user), await tokenTo(user.email));
  });

  it('an invitation is open for 14 days, unless another one replaces it', async () => {
    const user = await makeUser(test.ctx);
    await invite(user.email, { role: 'analyst' });
    const first = await tokenTo(user.email);
    test.clock.advance(1_000);
    await invite(user.email, { role: 'editor' });
    expect(await fieldsRefused(getInvitation(test.ctx, first))).toBe('token');
    const second = await tokenTo(user.email);
    test.clock.advance(14 * dayMs - 1);
    expect((await getInvitation(test.ctx, second)).role).toBe('editor');
    test.clock.advance(1);
    expect(await fieldsRefused(acceptInvitation(as(user), second))).toBe('token');
    expect(await listInvitations(as(owner), podcast.id)).toEqual([]);
  });

  it('an invitation can be declined by everybody who has its token', async () => {
    const email = newAddress();
    await invite(email);
    const token = await tokenTo(email);
    await declineInvitation(test.contextFor({ kind: 'public' }), token);
    expect(await fieldsRefused(getInvitation(test.ctx, token))).toBe('token');
    expect(await fieldsRefused(declineInvitation(test.ctx, token))).toBe('token');
  });

  it.runIf(isOnServer)(
    'an invitation that is declined at the same moment adds nobody',
    async () => {
      const user = await makeUser(test.ctx);
      await invite(user.email);
      const token = await tokenTo(user.email);
      const accepting = () => acceptInvitation(as(user), token);
      const declining = ['delete from invitations where podcast_id = $1'];
      const accepted = beforeCommit(test, podcast.id, declining, accepting);
      expect(await fieldsRefused(accepted)).toBe('token');
      expect(await roleOf(user)).toBeUndefined();
    },
  );

  it('an invitation can be withdrawn, and one of another podcast is not found', async () => {
    const user = await makeUser(test.ctx);
    const { id: invitationId } = await invite(user.email);
    const other = await makePodcast(test.ctx, { owner });
    const elsewhere = revokeInvitation(as(owner), { podcastId: other.id, invitationId });
    expect(await fieldsRefused(elsewhere)).toBe('not_found');
    const none = revokeInvitation(as(owner), { podcastId: podcast.id, invitationId: 'none' });
    expect(await fieldsRefused(none)).toBe('not_found');
    const asWritten = invitationId.toUpperCase();
    await revokeInvitation(as(owner), { podcastId: podcast.id, invitationId: asWritten });
    const late = acceptInvitation(as(user), await tokenTo(user.email));
    expect(await fieldsRefused(late)).toBe('token');
  });

  it('an invitation ends with the membership or the role of its sender', async () => {
    const admin = await join({ role: 'admin' });
    const other = await join({ role: 'admin' });
    const [first, second] = [newAddress(), newAddress()];
    await invite(first, { role: 'editor' }, admin);
    await invite(second, { role: 'editor' }, other);
    await changeMember(as(owner), { podcastId: podcast.id, userId: admin.id, role: 'analyst' });
    await leavePodcast(as(other), podcast.id);
    expect(await fieldsRefused(getInvitation(test.ctx, await tokenTo(first)))).toBe('token');
    expect(await fieldsRefused(getInvitation(test.ctx, await tokenTo(second)))).toBe('token');
  });

  it('an invitation of the owner to a new admin cannot be changed by another admin', async () => {
    const admin = await join({ role: 'admin' });
    const email = newAddress();
    await invite(email, { role: 'admin' });
    expect(await fieldsRefused(invite(email, { role: 'analyst' }, admin))).toBe('forbidden');
  });

  it('an invitation is refused with every wrong field, and for members', async () => {
    const wrong = invite('nobody', { role: 'custom', roleName: ' ', capabilities: [] });
    expect(await fieldsRefused(wrong)).toBe('email, role_name');
    for (const roleName of ['\u200b', 'a\r\nb', 'Win: https://example.com', 'x'.repeat(61)]) {
      const named = invite(newAddress(), { role: 'custom', roleName, capabilities: [] });
      expect(await fieldsRefused(named)).toBe('role_name');
    }
    const member = await join({ role: 'analyst' });
    const refusal = await refusalOf(invite(member.email.toUpperCase()));
    expect(refusal.details[0]).toMatchObject({ field: 'email', reason: 'member_already' });
  });

  it('an invitation counts as one of the hundred emails that a member sends in a day', async () => {
    const manager = await join({ role: 'admin' });
    const asAnalyst = (email: string) => invite(email, { role: 'analyst' }, manager);
    for (let i = 0; i < 100; i += 1) {
      const { id } = await asAnalyst(newAddress());
      await revokeInvitation(as(manager), { podcastId: podcast.id, invitationId: id });
    }
    expect(await fieldsRefused(asAnalyst(newAddress()))).toBe('rate_limited');
  });

  it('an invitation counts as one of the five emails that a member sends an address for a show in a day', async () => {
    const manager = await join({ role: 'admin' });
    const email = newAddress();
    for (let i = 0; i < 4; i += 1) await invite(email, { role: 'analyst' }, manager);
    await invite(email.toUpperCase(), { role: 'analyst' }, manager);
    expect(await fieldsRefused(invite(email, { role: 'analyst' }, manager))).toBe('rate_limited');
    // The same mailbox.
    const tagged = invite(email.replace('@', '+tag@'), { role: 'analyst' }, manager);
    expect(await fieldsRefused(tagged)).toBe('rate_limited');
    await invite(email, { role: 'analyst' });
    expect(await listInvitations(as(manager), podcast.id)).toHaveLength(1);
  });

  it('an invitation counts as one of the twenty emails that a member sends an address in a day', async () => {
    const network = await makeUser(test.ctx);
    const email = newAddress();
    const inviteToNew = async () => {
      const { id: podcastId } = await makePodcast(test.ctx, { owner: network });
      return inviteMember(as(network), { podcastId, email, role: 'analyst' });
    };
    for (let i = 0; i < 20; i += 1) await inviteToNew();
    expect(await fieldsRefused(inviteToNew())).toBe('rate_limited');
  });
});

describe('a member', () => {
  it('a member has the new role with the next request', async () => {
    const user = await join({ role: 'analyst' });
    const { id: userId } = user;
    await changeMember(as(owner), { podcastId: podcast.id, userId, role: 'editor' });
    await authorize(as(user), 'episode.publish', { podcastId: podcast.id });
    const old = authorize(as(user), 'analytics.read', { podcastId: podcast.id });
    expect(await fieldsRefused(old)).toBe('forbidden');
    expect((await told()).map(({ kind }) => kind)).toEqual([
      'membership.added',
      'membership.changed',
    ]);
  });

  it('a member that leaves or is removed finds no podcast, and keeps the credit', async () => {
    const [leaver, removed] = [await join({ role: 'cohost' }), await join({ role: 'editor' })];
    for (const { id: userId, name } of [leaver, removed]) {
      await addPerson(test.ctx, { podcastId: podcast.id, name, userId });
    }
    await leavePodcast(as(leaver), podcast.id);
    await removeMember(as(owner), { podcastId: podcast.id, userId: removed.id });
    for (const user of [leaver, removed]) {
      const attempt = authorize(as(user), 'episode.edit', { podcastId: podcast.id });
      expect(await fieldsRefused(attempt)).toBe('not_found');
    }
    const { rows } = await test.database.pool.query(
      'select user_id, roster from people where podcast_id = $1 order by position',
      [podcast.id],
    );
    expect(rows).toEqual([
      { user_id: leaver.id, roster: true },
      { user_id: removed.id, roster: true },
    ]);
    const ended = (await told()).filter(({ kind }) => kind === 'membership.removed');
    expect(ended.map(({ userId }) => userId)).toEqual([leaver.id, removed.id]);
  });

  it('a member can be removed only once', async () => {
    const { id: userId } = await join({ role: 'editor' });
    const member = { podcastId: podcast.id, userId };
    const tries = await Promise.allSettled([1, 2].map(() => removeMember(as(owner), member)));
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await fieldsRefused(removeMember(as(owner), member))).toBe('not_found');
    expect((await told()).filter(({ kind }) => kind === 'membership.removed')).toHaveLength(1);
  });

  it('a member does not use a role that is removed at the same moment', async () => {
    const admin = await join({ role: 'admin' });
    const email = newAddress();
    await Promise.allSettled([
      removeMember(as(owner), { podcastId: podcast.id, userId: admin.id }),
      invite(email, { role: 'editor' }, admin),
    ]);
    // In either order, no invitation of a former member is left.
    expect(await listInvitations(as(owner), podcast.id)).toEqual([]);
  });

  it('a member is listed with the owner first', async () => {
    test.clock.advance(1_000);
    const later = await join({ role: 'custom', roleName: 'Clerk', capabilities: [] });
    const members = await listMembers(as(owner), podcast.id);
    expect(members.map(({ email, role, roleName }) => [email, role, roleName])).toEqual([
      [owner.email, 'owner', null],
      [later.email, 'custom', 'Clerk'],
    ]);
  });
});
