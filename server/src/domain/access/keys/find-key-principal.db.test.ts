import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../../../test/make.ts';
import { makeApiKey } from '../../../lib/api-key.ts';
import { newId } from '../../../lib/uuid.ts';
import { setPlan } from '../../foundation/accounts/index.ts';
import type { Resource } from '../../foundation/relation.ts';
import { updateEpisode } from '../../publishing/episodes/index.ts';
import { addPerson, setCredits } from '../../publishing/people/index.ts';
import { addMember, updatePodcast } from '../../publishing/podcasts/index.ts';
import { findKeyPrincipal, revokeKey } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext({ DEFAULT_PLAN: 'creator' });
});
afterAll(() => test[Symbol.asyncDispose]());

const dayMs = 86_400_000;

describe('the principal of a key', () => {
  it('the principal of a key is the key, its user and their account', async () => {
    const user = await makeUser(test.ctx, 'studio');
    const { key, secret } = await makeKey(test.ctx, user, {
      name: 'Reports',
      scopes: ['episodes:read', 'podcasts:read'],
    });
    expect(await findKeyPrincipal(test.ctx, secret)).toEqual({
      kind: 'key',
      userId: user.id,
      user: {
        name: user.name,
        email: user.email,
        acceptedTerms: null,
        plan: 'studio',
        planState: 'active',
      },
      key: {
        id: key.id,
        name: 'Reports',
        lastFour: secret.slice(-4),
        expiresAt: new Date(test.clock.now().getTime() + 90 * dayMs),
        scopes: ['podcasts:read', 'episodes:read'],
        allPodcasts: true,
        createdAt: test.clock.now(),
      },
      site: undefined,
      requested: undefined,
    });
  });

  // ERR-8
  it('an unknown, revoked or expired key has no principal', async () => {
    const user = await makeUser(test.ctx);
    const [revoked, other, expired] = [
      await makeKey(test.ctx, user),
      await makeKey(test.ctx, user),
      await makeKey(test.ctx, user, { expiresInDays: 30 }),
    ];
    await revokeKey(test.ctx, revoked.key.id);
    const start = test.clock.now();
    const found = async () =>
      Promise.all(
        [makeApiKey(), revoked.secret, other.secret, expired.secret].map(
          async (secret) => (await findKeyPrincipal(test.ctx, secret))?.key.id,
        ),
      );
    expect(await found()).toEqual([undefined, undefined, other.key.id, expired.key.id]);
    test.clock.set(new Date(expired.key.expiresAt.getTime() - 1));
    expect((await found())[3]).toBe(expired.key.id);
    test.clock.set(expired.key.expiresAt);
    expect((await found())[3]).toBeUndefined();
    test.clock.set(start);
  });

  it('a key has no principal if only half of its hash matches', async () => {
    const { key, secret } = await makeKey(test.ctx, await makeUser(test.ctx));
    await test.database.pool.query(
      `update api_key_secrets set hash = substring(hash from 1 for 16) || decode(repeat('00', 16), 'hex')
        where key_id = $1`,
      [key.id],
    );
    expect(await findKeyPrincipal(test.ctx, secret)).toBeUndefined();
  });
});

describe('a relation', () => {
  const relationOf = async (secret: string, resource: Resource) =>
    (await findKeyPrincipal(test.ctx, secret, resource))?.requested?.relation;

  it('a relation says what connects a key with a podcast', async () => {
    const owner = await makeUser(test.ctx, 'studio');
    const podcast = await makePodcast(test.ctx, { owner });
    const member = await makeUser(test.ctx, 'free');
    const capabilities = ['episodes.view_all'] as const;
    await addMember(test.ctx, {
      podcastId: podcast.id,
      userId: member.id,
      role: 'custom',
      roleName: 'Clerk',
      capabilities,
    });
    const { secret } = await makeKey(test.ctx, member);
    const target = { podcastId: podcast.id };
    const relation = await relationOf(secret, target);
    const reach = {
      accountId: owner.accountId,
      planState: 'active',
      planIncludesApi: true,
      isCovered: true,
      isAllowed: false,
    };
    expect(relation).toEqual({
      podcastId: podcast.id,
      plan: 'studio',
      membership: { role: 'custom', roleName: 'Clerk', capabilities: [...capabilities] },
      episode: undefined,
      key: reach,
    });
    await setPlan(test.ctx, { email: owner.email, plan: 'free', planState: 'lapsed' });
    await updatePodcast(test.ctx, podcast.id, { teamKeys: true });
    expect(await relationOf(secret, target)).toEqual({
      ...relation,
      plan: 'free',
      key: { ...reach, planState: 'lapsed', planIncludesApi: false, isAllowed: true },
    });
  });

  it('a relation is undefined for what does not exist, and has no membership for a stranger', async () => {
    const { secret } = await makeKey(test.ctx, await makeUser(test.ctx));
    expect(await relationOf(secret, { podcastId: newId() })).toBeUndefined();
    expect(await relationOf(secret, { episodeId: newId() })).toBeUndefined();
    const foreign = await makePodcast(test.ctx);
    const episode = await makeEpisode(test.ctx, foreign);
    const relation = await relationOf(secret, { podcastId: foreign.id });
    expect(relation).toMatchObject({ podcastId: foreign.id, key: { isCovered: true } });
    expect(relation?.membership).toBeUndefined();
    expect((await relationOf(secret, { episodeId: episode.id }))?.membership).toBeUndefined();
  });

  it('a relation distinguishes a named podcast from one that is not', async () => {
    const owner = await makeUser(test.ctx);
    const named = await makePodcast(test.ctx, { owner });
    const other = await makePodcast(test.ctx, { owner });
    const { secret } = await makeKey(test.ctx, owner, { podcasts: [named.id] });
    expect((await relationOf(secret, { podcastId: named.id }))?.key?.isCovered).toBe(true);
    expect((await relationOf(secret, { podcastId: other.id }))?.key?.isCovered).toBe(false);
  });

  // AUTH-12, KEYED-14
  it('a relation knows whom an episode credits, and whether its transcript is shared', async () => {
    const podcast = await makePodcast(test.ctx);
    const cohost = await makeUser(test.ctx);
    await addMember(test.ctx, { podcastId: podcast.id, userId: cohost.id, role: 'cohost' });
    const person = async (userId: string | null) =>
      addPerson(test.ctx, { podcastId: podcast.id, name: 'Bo', userId, roster: true });
    const [bo, somebody] = [await person(cohost.id), await person(null)];
    const with_ = await makeEpisode(test.ctx, podcast, { shareTranscriptWithCohosts: true });
    await setCredits(test.ctx, with_.id, [{ personId: bo.id }, { personId: somebody.id }]);
    const without = await makeEpisode(test.ctx, podcast);
    await setCredits(test.ctx, without.id, [{ personId: somebody.id }]);
    const byRoster = await makeEpisode(test.ctx, podcast);
    const { secret } = await makeKey(test.ctx, cohost);
    const episode = async (episodeId: string) => (await relationOf(secret, { episodeId }))?.episode;
    expect(await episode(with_.id)).toEqual({
      id: with_.id,
      isCredited: true,
      sharesTranscript: true,
    });
    expect(await episode(without.id)).toMatchObject({ isCredited: false, sharesTranscript: false });
    expect(await episode(byRoster.id)).toMatchObject({ isCredited: false });
    await updateEpisode(test.ctx, with_.id, { shareTranscriptWithCohosts: false });
    expect(await episode(with_.id)).toMatchObject({ isCredited: true, sharesTranscript: false });
  });
});
