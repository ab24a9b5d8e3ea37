import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actWithKey } from '../../../../test/act-with-key.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../../../test/make.ts';
import type { Capability } from '../../../lib/team-roles.ts';
import { newId } from '../../../lib/uuid.ts';
import { addMember } from '../../publishing/podcasts/index.ts';
import { anyone, system } from '../principal.ts';
import type { Resource } from '../relation.ts';
import { type Action, authorize } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext({ DEFAULT_PLAN: 'creator' });
});
afterAll(() => test[Symbol.asyncDispose]());

describe('the operator and the system', () => {
  it('the operator and the system may do everything with what exists', async () => {
    const podcast = await makePodcast(test.ctx);
    const { id: episodeId } = await makeEpisode(test.ctx, podcast);
    for (const ctx of [test.ctx, test.contextFor(system)]) {
      const unlimited = { creditedUserId: undefined, plan: undefined, quota: undefined };
      const granted = { podcastId: podcast.id, ...unlimited };
      expect(await authorize(ctx, 'ownership.offer', { episodeId })).toMatchObject(granted);
      const unknown = authorize(ctx, 'episode.edit', { episodeId: newId() });
      await expect(unknown).rejects.toMatchObject({ kind: 'not_found' });
    }
  });
});

describe('the public', () => {
  it('the public may do nothing, and learns of nothing', async () => {
    const podcast = await makePodcast(test.ctx);
    const { id: episodeId } = await makeEpisode(test.ctx, podcast);
    const refuse = (action: Action, resource: Resource, message: string) =>
      expect(authorize(test.contextFor(anyone), action, resource)).rejects.toMatchObject({
        kind: 'not_found',
        message,
      });
    await refuse('podcast.read', { podcastId: podcast.id }, 'There is no such podcast.');
    await refuse('episodes.read', { episodeId }, 'There is no such episode.');
  });
});

describe('a key', () => {
  it('a key is checked for the resource that the verb names, whatever the request named', async () => {
    const owner = await makeUser(test.ctx);
    const mine = await makePodcast(test.ctx, { owner });
    const other = await makePodcast(test.ctx);
    const myEpisode = await makeEpisode(test.ctx, mine);
    const otherEpisode = await makeEpisode(test.ctx, other);
    const { secret } = await makeKey(test.ctx, owner);
    const resources = [
      { podcastId: mine.id },
      { podcastId: other.id },
      { episodeId: myEpisode.id },
      { episodeId: otherEpisode.id },
    ];
    for (const requested of [undefined, ...resources]) {
      const ctx = await actWithKey(test.ctx, secret, requested);
      const outcomes = resources.map((resource) =>
        authorize(ctx, 'episodes.read', resource).then(
          ({ podcastId }) => podcastId,
          ({ kind }) => kind,
        ),
      );
      expect(await Promise.all(outcomes)).toEqual([mine.id, 'not_found', mine.id, 'not_found']);
    }
  });
});

describe("a member's key", () => {
  // KEY-7
  it("a member's key reaches the podcasts that it names, and not those that another key names", async () => {
    const owner = await makeUser(test.ctx);
    const ids = [
      (await makePodcast(test.ctx, { owner })).id,
      (await makePodcast(test.ctx, { owner })).id,
    ];
    for (const named of ids) await makeKey(test.ctx, owner, { podcasts: [named] });
    for (const named of ids) {
      const { secret } = await makeKey(test.ctx, owner, { podcasts: [named] });
      const ctx = await actWithKey(test.ctx, secret);
      for (const podcastId of ids) {
        const reached = await authorize(ctx, 'podcast.read', { podcastId }).catch(
          ({ kind }) => kind,
        );
        expect(reached).toEqual(
          podcastId === named ? expect.objectContaining({ podcastId }) : 'not_found',
        );
      }
    }
  });

  // AUTH-9
  it("a member's key needs the capability if the podcast does not let keys of its team read", async () => {
    const podcast = await makePodcast(test.ctx, { teamKeys: false });
    const outcomeFor = async (...capabilities: Capability[]) => {
      const { id: userId } = await makeUser(test.ctx, 'creator');
      const member = { role: 'custom', roleName: 'Clerk', capabilities } as const;
      await addMember(test.ctx, { podcastId: podcast.id, userId, ...member });
      const { secret } = await makeKey(test.ctx, { id: userId });
      const ctx = await actWithKey(test.ctx, secret);
      return authorize(ctx, 'podcast.read', { podcastId: podcast.id }).then(
        () => 'granted',
        ({ kind }) => kind,
      );
    };
    expect(await outcomeFor('episodes.view_all')).toBe('forbidden');
    expect(await outcomeFor('episodes.view_all', 'show.api_access')).toBe('granted');
  });

  it("a member's key reaches nothing once it is deleted", async () => {
    const owner = await makeUser(test.ctx);
    const podcast = await makePodcast(test.ctx, { owner });
    const { key, secret } = await makeKey(test.ctx, owner);
    const ctx = await actWithKey(test.ctx, secret);
    await test.ctx.db.deleteFrom('api_keys').where('id', '=', key.id).execute();
    const refused = authorize(ctx, 'podcast.read', { podcastId: podcast.id });
    await expect(refused).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('an episode of a named podcast', () => {
  it('an episode of a named podcast exists only under its own podcast', async () => {
    const owner = await makeUser(test.ctx);
    const [mine, other] = [
      await makePodcast(test.ctx, { owner }),
      await makePodcast(test.ctx, { owner }),
    ];
    const { id: episodeId } = await makeEpisode(test.ctx, mine);
    const { secret } = await makeKey(test.ctx, owner);
    const [right, wrong] = [
      { podcastId: mine.id, episodeId },
      { podcastId: other.id, episodeId },
    ];
    const acting = [
      test.contextFor({ kind: 'user', userId: owner.id }),
      await actWithKey(test.ctx, secret),
      await actWithKey(test.ctx, secret, right),
      await actWithKey(test.ctx, secret, wrong),
      await actWithKey(test.ctx, secret, { episodeId }),
    ];
    for (const ctx of acting) {
      expect(await authorize(ctx, 'analytics.read', right)).toMatchObject({ podcastId: mine.id });
      const refused = authorize(ctx, 'analytics.read', wrong);
      await expect(refused).rejects.toMatchObject({ kind: 'not_found' });
    }
  });
});
