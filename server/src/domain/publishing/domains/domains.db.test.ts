import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { findEmails } from '../../../../test/find-emails.ts';
import { createDomainRecords, servedAt } from '../../../../test/hosts/domain-records.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { makeSite } from '../../../../test/make-site.ts';
import { SiteReader } from '../../../../test/site-reader.ts';
import { newId } from '../../../lib/uuid.ts';
import type { Context } from '../../foundation/context.ts';
import {
  addMember,
  editPodcast,
  getPodcast,
  movePodcast,
  removeMember,
} from '../podcasts/index.ts';
import {
  checkDomain,
  checkDomains,
  getDomain,
  OwnDomains,
  removeDomain,
  setDomain,
} from './index.ts';

let test: TestContext;
let ctx: Context;
const records = createDomainRecords();
const dayMs = 24 * 3_600_000;

beforeAll(async () => {
  test = await createTestContext({}, { dns: records });
  ctx = test.ctx;
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(() => {
  records.isAway = false;
  records.onQuestion = () => undefined;
});

const newHost = () => `pod-${newId().slice(-12)}.example`;
const later = (ms: number) => ctx.clock.now().getTime() + ms;

/** A show whose domain is set; its records are not. */
async function begin(host = newHost()) {
  const { id } = await makePodcast(ctx);
  const { token } = await setDomain(ctx, id, host);
  const point = () => records.set(host, { txt: token, addresses: [servedAt] });
  const check = async () => (await checkDomain(ctx, id)).state;
  return { id, host, token, point, check };
}

async function verified(host?: string) {
  const show = await begin(host);
  show.point();
  expect(await show.check()).toBe('verified');
  return show;
}

it('a domain waits until both records are right, and says what it found (DOMAIN-1, DOMAIN-2)', async () => {
  const { id, host, token, check, point } = await begin();
  const { domain, expected } = await getDomain(ctx, id);
  expect(domain).toMatchObject({ host, state: 'waiting', found: { txt: [], addresses: [] } });
  expect(expected).toEqual({
    txtName: `_podstead.${host}`,
    txt: token,
    target: ['test.local'],
    addresses: [servedAt],
  });
  records.set(host, { txt: token });
  expect(await check()).toBe('waiting');
  records.set(host, { addresses: [servedAt] });
  expect(await check()).toBe('waiting');
  records.set(host, { txt: `not ${token.slice(0, -1)}`, addresses: [servedAt] });
  expect(await check()).toBe('waiting');
  // Some listeners would reach the other server.
  records.set(host, { txt: token, addresses: [servedAt, '198.51.100.1'] });
  expect(await check()).toBe('waiting');
  expect((await getDomain(ctx, id)).domain?.found).toMatchObject({
    addresses: [servedAt, '198.51.100.1'],
  });
  point();
  expect(await check()).toBe('verified');
});

it('three checks in a row that find something else lose a domain, failures do not (DOMAIN-3)', async () => {
  const { id, host, check, point } = await verified();
  records.set(host, { addresses: [servedAt] });
  expect([await check(), await check()]).toEqual(['verified', 'verified']);
  // Not in a row.
  point();
  expect(await check()).toBe('verified');
  records.set(host, {});
  expect([await check(), await check()]).toEqual(['verified', 'verified']);
  const before = (await getDomain(ctx, id)).domain;
  records.isAway = true;
  for (let i = 0; i < 5; i += 1) expect(await check()).toBe('verified');
  expect((await getDomain(ctx, id)).domain).toMatchObject({
    found: before?.found,
    checkedAt: before?.checkedAt,
  });
  records.isAway = false;
  expect(await check()).toBe('lost');
  point();
  expect(await check()).toBe('verified');
});

it('nothing changes while the name of DOMAIN_TARGET has no addresses', async () => {
  const { check } = await verified();
  records.set('test.local', {});
  try {
    for (let i = 0; i < 4; i += 1) expect(await check()).toBe('verified');
  } finally {
    records.set('test.local', { addresses: [servedAt] });
  }
});

it('the first verified one of several shows that wait for a domain has it (DOMAIN-5)', async () => {
  const first = await begin();
  const second = await begin(first.host);
  second.point();
  expect(await second.check()).toBe('verified');
  first.point();
  expect(await first.check()).toBe('waiting');
  expect((await getDomain(ctx, first.id)).domain?.taken).toBe(true);
  // Three checks for the second one, whose record is gone.
  for (let i = 0; i < 3; i += 1) await second.check();
  expect((await getDomain(ctx, second.id)).domain?.state).toBe('lost');
  expect(await first.check()).toBe('waiting');
  test.clock.set(new Date(later(7 * dayMs - 60_000)));
  expect(await first.check()).toBe('waiting');
  test.clock.set(new Date(later(60_000)));
  expect(await first.check()).toBe('verified');
  second.point();
  expect(await second.check()).toBe('lost');
});

it('two shows that are verified at the same moment do not both get the domain', async () => {
  const host = newHost();
  const shows = [await begin(host), await begin(host)];
  records.set(host, { txt: shows.map(({ token }) => token).join(' '), addresses: [servedAt] });
  // Both have their responses before either is stored.
  let asked = 0;
  const both = Promise.withResolvers<void>();
  records.onQuestion = (name) => {
    if (!name.startsWith('_podstead')) return undefined;
    asked += 1;
    if (asked === 2) both.resolve();
    return both.promise;
  };
  const states = await Promise.all(shows.map(({ check }) => check()));
  expect(states.toSorted()).toEqual(['verified', 'waiting']);
});

it('another domain takes the place of the one before, which is free at once', async () => {
  const show = await verified();
  const other = newHost();
  const next = await setDomain(ctx, show.id, other.toUpperCase());
  expect(next).toMatchObject({ host: other, state: 'waiting', token: show.token });
  expect((await verified(show.host)).id).not.toBe(show.id);
  await removeDomain(ctx, show.id);
  expect(await getDomain(ctx, show.id)).toMatchObject({ domain: null, expected: null });
  await expect(removeDomain(ctx, show.id)).rejects.toMatchObject({ kind: 'not_found' });
});

it.each([
  ['test.local', 'domain_ours'],
  ['TEST.local.', 'domain_ours'],
  ['203.0.113.7', 'domain_address'],
  ['pod', 'domain_single_label'],
  ['pod.example:80', 'domain_port'],
  ['https://pod.example/', 'domain_form'],
  ['my_pod.example', 'domain_characters'],
  [`${'a'.repeat(64)}.example`, 'domain_length'],
  [`${'a.'.repeat(120)}example`, 'domain_length'],
])('%s is refused with the reason %s (DOMAIN-4)', async (host, messageKey) => {
  const { id } = await makePodcast(ctx);
  await expect(setDomain(ctx, id, host)).rejects.toMatchObject({
    kind: 'invalid',
    details: [{ field: 'host', messageKey }],
  });
});

it("a name within the service's own host is verified by its records alone (DOMAIN-4)", async () => {
  const { check, point } = await begin('night.test.local');
  expect(await check()).toBe('waiting');
  point();
  expect(await check()).toBe('verified');
});

it('only the owner and admins may set, see or check a domain (DOMAIN-1)', async () => {
  const owner = await makeUser(ctx);
  const { id } = await makePodcast(ctx, { owner });
  for (const [role, allowed] of [
    ['admin', true],
    ['editor', false],
    ['analyst', false],
  ] as const) {
    const member = await makeUser(ctx);
    await addMember(ctx, { podcastId: id, userId: member.id, role });
    const own = test.contextFor({ kind: 'user', userId: member.id });
    const tries = [
      () => setDomain(own, id, newHost()),
      () => getDomain(own, id),
      () => checkDomain(own, id),
      () => removeDomain(own, id),
    ];
    for (const attempt of tries) {
      if (allowed) await attempt();
      else await expect(attempt()).rejects.toMatchObject({ kind: 'forbidden' });
    }
  }
});

it('people can check a domain a limited number of times', async () => {
  const owner = await makeUser(ctx);
  const { id } = await makePodcast(ctx, { owner });
  const own = test.contextFor({ kind: 'user', userId: owner.id });
  await setDomain(own, id, newHost());
  const checks = Array.from({ length: 30 }, () => checkDomain(own, id));
  const results = await Promise.allSettled(checks);
  expect(results.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: { kind: 'rate_limited' } },
  ]);
});

it('the hourly check reaches every domain, and ends when no name server responds', async () => {
  const shows = await Promise.all(Array.from({ length: 30 }, () => begin()));
  for (const show of shows) show.point();
  const { signal } = new AbortController();
  test.clock.set(new Date(later(3_600_000)));
  records.isAway = true;
  expect(await checkDomains(ctx, signal)).toMatchObject({ checked: 0 });
  records.isAway = false;
  test.clock.set(new Date(later(3_600_000)));
  const { checked, failed } = await checkDomains(ctx, signal);
  expect([checked >= shows.length, failed]).toEqual([true, 0]);
  for (const { id } of shows) expect((await getDomain(ctx, id)).domain?.state).toBe('verified');
  expect(await checkDomains(ctx, signal)).toEqual({ checked: 0, failed: 0 });
});

// DOMAIN-2
it('domains whose name servers are silent delay no others, and take turns', async () => {
  const silent = await Promise.all(Array.from({ length: 6 }, () => begin()));
  const others = await Promise.all(Array.from({ length: 3 }, () => begin()));
  for (const { host } of silent) records.silent.add(host);
  // The silent ones have waited longer.
  for (const shows of [silent, others]) {
    test.clock.set(new Date(later(60_000)));
    for (const show of shows) await show.check();
  }
  const { signal } = new AbortController();
  const run = () => checkDomains(ctx, signal, { batchSize: 3 });
  const triedMs = async ({ id }: (typeof silent)[number]) => {
    const { domain } = await getDomain(ctx, id);
    return domain?.triedAt?.getTime() ?? 0;
  };
  test.clock.set(new Date(later(3_600_000)));
  for (const show of others) show.point();
  const first = await run();
  expect(first.failed).toBeLessThan(silent.length);
  for (const { id } of others) expect((await getDomain(ctx, id)).domain?.state).toBe('verified');
  const hourBegan = ctx.clock.now().getTime();
  test.clock.set(new Date(later(600_000)));
  expect(await run()).toEqual({ checked: 0, failed: silent.length - first.failed });
  for (const show of silent) expect(await triedMs(show)).toBeGreaterThanOrEqual(hourBegan);
  records.silent.clear();
});

it.each([
  ['forward', dayMs],
  ['back', -dayMs],
])('a clock that jumps %s by a day delays no check and loses no domain', async (_, jumpMs) => {
  const { id, check, point } = await verified();
  const waiting = await begin();
  test.clock.set(new Date(later(jumpMs)));
  point();
  expect(await check()).toBe('verified');
  waiting.point();
  const { signal } = new AbortController();
  await checkDomains(ctx, signal);
  const { domain } = await getDomain(ctx, waiting.id);
  expect(domain).toMatchObject({ state: 'verified', checkedAt: ctx.clock.now() });
  expect((await getDomain(ctx, id)).domain?.state).toBe('verified');
  expect(await checkDomains(ctx, signal)).toEqual({ checked: 0, failed: 0 });
});

it.each([
  ['10.0.12.7', '127.0.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
  ['fd00::7', '::1', 'fe80::1', '64:ff9b::a00:1'],
  ['198.51.100.1', '10.0.12.7'],
])(
  'says of a name with internal addresses only that they are internal (DOMAIN-12): %s',
  async (...internal) => {
    const { id, host, token, check, point } = await begin();
    records.set(host, { txt: ['db-password=x', token], addresses: internal });
    expect(await check()).toBe('waiting');
    expect((await getDomain(ctx, id)).domain?.found).toMatchObject({
      txt: [token],
      addresses: internal.filter((address) =>
        ['198.51.100.1', '127.0.0.1', '::1'].includes(address),
      ),
      isInternal: true,
    });
    point();
    expect(await check()).toBe('verified');
    expect((await getDomain(ctx, id)).domain?.found?.isInternal).toBe(false);
  },
);

it('says what is wrong or right also among thousands of records', async () => {
  const { id, host, token, check } = await begin();
  const texts = Array.from({ length: 1_000 }, (_, n) => `text-${n}`);
  const own = `${'x'.repeat(300)} ${token}`;
  const many = Array.from({ length: 1_000 }, () => servedAt);
  records.set(host, { txt: [...texts, own], addresses: [...many, '198.51.100.1', servedAt] });
  expect(await check()).toBe('waiting');
  const found = (await getDomain(ctx, id)).domain?.found;
  expect(found?.addresses).toEqual([servedAt, '198.51.100.1']);
  expect(found?.txt).toEqual([...texts.slice(0, 9), token]);
  records.set(host, { txt: [...texts, own], addresses: many });
  expect(await check()).toBe('verified');
  expect((await getDomain(ctx, id)).domain?.found?.addresses).toEqual([servedAt]);
  const others = Array.from({ length: 100 }, (_, n) => `198.51.100.${n}`);
  records.set(host, { txt: token, addresses: [servedAt, ...others] });
  await check();
  expect((await getDomain(ctx, id)).domain?.found?.addresses).toEqual(others.slice(0, 20));
});

it('a member who was removed while the screen was open can no longer check or set', async () => {
  const { id, host } = await begin();
  const member = await makeUser(ctx);
  await addMember(ctx, { podcastId: id, userId: member.id, role: 'admin' });
  const own = test.contextFor({ kind: 'user', userId: member.id });
  await checkDomain(own, id);
  await removeMember(ctx, { podcastId: id, userId: member.id });
  const tries = [() => checkDomain(own, id), () => setDomain(own, id, newHost())];
  for (const attempt of [...tries, () => removeDomain(own, id)])
    await expect(attempt()).rejects.toMatchObject({ kind: 'not_found' });
  expect((await getDomain(ctx, id)).domain?.host).toBe(host);
});

// DOMAIN-13
it('only the owner leads subscribers to a domain, and not to the next one that an admin sets', async () => {
  const [owner, admin] = [await makeUser(ctx), await makeUser(ctx)];
  const { id, title } = await makePodcast(ctx, { owner });
  await addMember(ctx, { podcastId: id, userId: admin.id, role: 'admin' });
  const as = ({ id: userId }: { id: string }) => test.contextFor({ kind: 'user', userId });
  const [on, off] = [
    { redirectFeed: true, confirmMove: true },
    { redirectFeed: false, confirmMove: false },
  ];
  const isNow = async () => {
    const { redirectFeed, confirmMove } = await getPodcast(ctx, id);
    return { redirectFeed, confirmMove };
  };
  const host = newHost();
  await setDomain(as(admin), id, host);
  const about = { name: owner.name, member: admin.name, podcast: title, domain: host };
  expect(await findEmails(test, owner.email)).toMatchObject([
    { template: 'domain-set', values: about },
  ]);
  for (const change of [{ redirectFeed: true }, { confirmMove: true }]) {
    await expect(editPodcast(as(admin), id, change)).rejects.toMatchObject({ kind: 'forbidden' });
  }
  await editPodcast(as(owner), id, on);
  // What is so already is nobody's decision.
  await editPodcast(as(admin), id, { ...on, title: 'Renamed' });
  await setDomain(as(admin), id, host);
  expect(await isNow()).toEqual(on);
  await setDomain(as(owner), id, newHost());
  expect(await findEmails(test, owner.email)).toHaveLength(1);
  expect(await isNow()).toEqual(on);
  const { revision } = await getPodcast(ctx, id);
  await setDomain(as(admin), id, newHost());
  expect(await isNow()).toEqual(off);
  expect((await getPodcast(ctx, id)).revision).toBe(revision + 1);
  await editPodcast(as(owner), id, on);
  await removeDomain(as(admin), id);
  await setDomain(as(admin), id, newHost());
  expect(await isNow()).toEqual(off);
});

it('a process knows verified domains as soon as they change (DOMAIN-6)', async () => {
  await using domains = await OwnDomains.open(ctx);
  const show = await begin();
  await domains.settled();
  expect(domains.find(show.host)).toBeUndefined();
  show.point();
  await show.check();
  await domains.settled();
  expect(domains.find(show.host)).toBe(show.id);
  await removeDomain(ctx, show.id);
  await domains.settled();
  expect(domains.find(show.host)).toBeUndefined();
});

it('a process knows verified domains for an hour without the database (DOMAIN-6)', async () => {
  const show = await verified();
  let isAway = false;
  const db = new Proxy(ctx.db, {
    get(target, name) {
      if (isAway) throw new Error('the database is away');
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  await using domains = await OwnDomains.open({ ...ctx, db });
  isAway = true;
  await removeDomain(ctx, show.id);
  await domains.settled();
  expect([domains.find(show.host), domains.isCurrent()]).toEqual([show.id, true]);
  test.clock.set(new Date(later(3_600_000)));
  expect(domains.isCurrent()).toBe(false);
  isAway = false;
  // The next change of any show.
  await setDomain(ctx, show.id, newHost());
  await domains.settled();
  expect([domains.find(show.host), domains.isCurrent()]).toEqual([undefined, true]);
});

it('a connected site gets the new links of a show whose domain is verified or lost (SITE-28)', async () => {
  const owner = await makeUser(ctx);
  const podcast = await makePodcast(ctx, { owner });
  await makeEpisode(ctx, podcast, { slug: 'one' });
  const site = new SiteReader(await makeSite(ctx, owner, [podcast]));
  const domainsRead = async () =>
    (await site.catchUp()).map((change) =>
      change.contentHash === null ? null : change.episode.podcastDomain,
    );
  expect(await domainsRead()).toEqual([undefined]);
  const host = newHost();
  const { token } = await setDomain(ctx, podcast.id, host);
  expect(await domainsRead()).toEqual([]);
  records.set(host, { txt: token, addresses: [servedAt] });
  await checkDomain(ctx, podcast.id);
  expect(await domainsRead()).toEqual([host]);
  await removeDomain(ctx, podcast.id);
  expect(await domainsRead()).toEqual([undefined]);
});

it('a show cannot move to the feed at its own domain, which is its own feed', async () => {
  const show = await verified();
  const moved = movePodcast(ctx, show.id, { newFeedUrl: `https://${show.host}/feed.xml` });
  await expect(moved).rejects.toMatchObject({ details: [{ field: 'new_feed_url' }] });
});
