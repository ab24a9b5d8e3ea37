import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeKey, makePodcast, makeUser, testPassword } from '../../../../test/make.ts';
import {
  challengeOf,
  makeSite,
  makeUnregisteredKey,
  newSiteUrl,
} from '../../../../test/make-site.ts';
import { fieldsRefused, refusalOf } from '../../../../test/refusal-of.ts';
import { newSecretToken } from '../../../lib/secret-token.ts';
import { newId } from '../../../lib/uuid.ts';
import {
  createKey,
  listKeys,
  maxActiveKeys,
  revokeKey,
  rollKey,
  widenKey,
} from '../../access/keys/index.ts';
import { setPlan } from '../../foundation/accounts/index.ts';
import { anyone } from '../../foundation/principal.ts';
import { addMember, type NewMember, updatePodcast } from '../../publishing/podcasts/index.ts';
import { type Approval, approveConnection, listConnectableShows } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const as = ({ id: userId }: { readonly id: string }) => test.contextFor({ kind: 'user', userId });
const approval = (
  user: { readonly id: string },
  podcasts: readonly { readonly id: string }[],
  more: Partial<Approval> = {},
): Approval => {
  const siteUrl = newSiteUrl();
  return {
    userId: user.id,
    siteUrl,
    restRoot: `${siteUrl}wp-json/`,
    podcastIds: podcasts.map(({ id }) => id),
    transcripts: false,
    codeChallenge: challengeOf(newSecretToken()),
    ...more,
  };
};

describe('a show can be connected', () => {
  // ACCT-18, SITE-3
  it.each<[NewMember['role'] | 'nobody', boolean]>([
    ['owner', true],
    ['admin', true],
    ['editor', false],
    ['analyst', false],
    ['cohost', false],
    ['custom', false],
    ['nobody', false],
  ])('a show can be connected by %s: %s', async (role, isConnectable) => {
    const owner = await makeUser(test.ctx, 'creator');
    const show = await makePodcast(test.ctx, { owner });
    const member = role === 'owner' ? owner : await makeUser(test.ctx, 'free');
    const custom = { roleName: 'All', capabilities: ['show.integrations', 'team.manage'] } as const;
    if (role !== 'owner' && role !== 'nobody') {
      const membership = { role, ...(role === 'custom' && custom) };
      await addMember(test.ctx, { podcastId: show.id, userId: member.id, ...membership });
    }
    const { items: listed } = await listConnectableShows(as(member), { limit: 10 });
    expect(listed.map(({ id, obstacle }) => [id, obstacle])).toEqual(
      isConnectable ? [[show.id, null]] : [],
    );
    for (const ctx of [as(member), test.ctx]) {
      const attempt = approveConnection(ctx, approval(member, [show]));
      if (isConnectable) expect((await attempt).code).toMatch(/^[A-Za-z0-9_-]{43}$/);
      else expect(await fieldsRefused(attempt)).toBe('podcasts');
    }
  });

  // SITE-3
  it('a show can be connected only if it is hosted here, by a plan with the API that is paid for', async () => {
    const owner = await makeUser(test.ctx, 'creator');
    const show = await makePodcast(test.ctx, { owner });
    const other = await makePodcast(test.ctx, { owner, hostingType: 'external' });
    const obstacles = async () =>
      (await listConnectableShows(as(owner), { limit: 10 })).items.map(({ obstacle }) => obstacle);
    const set = (plan: string, planState: 'active' | 'lapsed') =>
      setPlan(test.ctx, { email: owner.email, plan, planState });
    expect(await obstacles()).toEqual([null, 'hosted_elsewhere']);
    const attempt = () => fieldsRefused(approveConnection(as(owner), approval(owner, [show])));
    const both = approval(owner, [show, other]);
    expect(await fieldsRefused(approveConnection(as(owner), both))).toBe('podcasts');
    await set('creator', 'lapsed');
    expect([await obstacles(), await attempt()]).toEqual([
      ['plan_lapsed', 'hosted_elsewhere'],
      'podcasts',
    ]);
    await set('free', 'active');
    expect([await obstacles(), await attempt()]).toEqual([
      ['plan_without_api', 'hosted_elsewhere'],
      'podcasts',
    ]);
    await set('creator', 'active');
    await updatePodcast(test.ctx, other.id, { hostingType: 'hosted' });
    expect(await obstacles()).toEqual([null, null]);
  });
});

describe('an approval', () => {
  it('an approval is refused for others, for no shows and for unknown ones', async () => {
    const [ana, bo] = [await makeUser(test.ctx), await makeUser(test.ctx)];
    const show = await makePodcast(test.ctx, { owner: ana });
    const approve = (ctx = as(ana), more: Partial<Approval> = {}) =>
      approveConnection(ctx, approval(ana, [show], more));
    expect((await refusalOf(approve(as(bo)))).kind).toBe('not_found');
    expect((await refusalOf(approve(test.contextFor(anyone)))).kind).toBe('not_found');
    for (const podcastIds of [[], [newId()], ['x'], [show.id, newId()]]) {
      expect(await fieldsRefused(approve(as(ana), { podcastIds }))).toBe('podcasts');
    }
    const twice = [show.id, show.id.toUpperCase()];
    expect(await approve(as(ana), { podcastIds: twice })).toBeDefined();
    const wrong = { siteUrl: 'http://x/', codeChallenge: 'x', siteName: 'a\nb' };
    const fields = 'site_url, site_name, code_challenge';
    expect(await fieldsRefused(approve(as(ana), wrong))).toBe(fields);
  });

  it('stores the code only as a hash', async () => {
    const ana = await makeUser(test.ctx);
    const show = await makePodcast(test.ctx, { owner: ana });
    const { code, expiresAt } = await approveConnection(as(ana), approval(ana, [show]));
    expect(expiresAt.getTime() - test.clock.now().getTime()).toBe(5 * 60_000);
    const { rows } = await test.database.pool.query(
      'select site_codes::text as row from site_codes where user_id = $1',
      [ana.id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].row).not.toContain(code);
    expect(rows[0].row).not.toContain(Buffer.from(code).toString('hex'));
  });
});

describe('keys of sites', () => {
  it('keys of sites are not listed, counted or changed like those of people', async () => {
    const ana = await makeUser(test.ctx);
    const show = await makePodcast(test.ctx, { owner: ana });
    const site = await makeSite(test.ctx, ana, [show]);
    const waiting = await makeUnregisteredKey(test.ctx, ana, [show]);
    for (let key = 0; key < maxActiveKeys; key += 1) await makeKey(test.ctx, ana);
    expect(await listKeys(as(ana), ana.id)).toHaveLength(maxActiveKeys);
    const eleventh = { userId: ana.id, name: 'K', scopes: ['podcasts:read'] as const };
    const surplus = createKey(as(ana), {
      ...{ ...eleventh, podcasts: 'all', expiresInDays: 30, currentPassword: testPassword },
    });
    expect((await refusalOf(surplus)).kind).toBe('invalid');
    expect((await makeSite(test.ctx, ana, [show])).siteId).toBeDefined();
    for (const keyId of [site.keyId, waiting.id]) {
      for (const attempt of [
        () => rollKey(test.ctx, { keyId, grace: 'none', expiresInDays: 365 }),
        () => widenKey(test.ctx, { keyId, scopes: ['analytics:read'] }),
        () => revokeKey(as(ana), keyId),
      ]) {
        expect((await refusalOf(attempt())).kind).toBe('not_found');
      }
    }
  });
});
