import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actWithKey } from '../../../../test/act-with-key.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeKey, makePodcast, makeUser } from '../../../../test/make.ts';
import { planIds, setPlan, type User } from '../../foundation/accounts/index.ts';
import type { PlanState, Role } from '../../foundation/enumerations.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import {
  addMember,
  leavePodcast,
  type Podcast,
  type PodcastPosition,
} from '../../publishing/podcasts/index.ts';
import { cutOffPodcastKeys, getKeyIdentity, listReachedPodcasts } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext({ DEFAULT_PLAN: 'creator' });
});
afterAll(() => test[Symbol.asyncDispose]());

const podcastsOf = async (secret: string) =>
  (await getKeyIdentity(await actWithKey(test.ctx, secret))).podcasts;
const list = async (secret: string, limit = 100, after?: PodcastPosition) =>
  listReachedPodcasts(await actWithKey(test.ctx, secret), { limit, after });
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
const agedDays = (days: number) => new Date(test.clock.now().getTime() - days * 86_400_000);

/** A podcast of an account on this plan, on which the user has this role, or none. */
async function makeShow(
  user: User,
  state: { plan?: string; planState?: PlanState; teamKeys?: boolean; role?: Role | 'none' },
): Promise<Podcast> {
  const { role = 'editor', plan = 'creator', planState = 'active', teamKeys = true } = state;
  const owner = role === 'owner' ? user : await makeUser(test.ctx, plan);
  const podcast = await makePodcast(test.ctx, { owner, teamKeys });
  await setPlan(test.ctx, { email: owner.email, plan, planState });
  if (role === 'owner' || role === 'none') return podcast;
  const custom = role === 'custom' ? { roleName: 'Keys', capabilities: ['show.api_access'] } : {};
  await addMember(test.ctx, {
    podcastId: podcast.id,
    userId: user.id,
    role,
    ...(custom as object),
  });
  return podcast;
}

describe('the podcasts that a key reaches', () => {
  // KEYED-1
  it('the podcasts that a key reaches are those that it may read one by one', async () => {
    const user = await makeUser(test.ctx);
    const shows = [
      await makeShow(user, { role: 'owner', teamKeys: false }),
      await makeShow(user, { role: 'none' }),
      await makeShow(user, { planState: 'lapsed' }),
    ];
    for (const plan of planIds) shows.push(await makeShow(user, { plan }));
    for (const role of ['admin', 'editor', 'analyst', 'cohost', 'custom'] as const) {
      shows.push(await makeShow(user, { role }), await makeShow(user, { role, teamKeys: false }));
    }
    const last = shows.at(-1)!;
    const keys = [
      await makeKey(test.ctx, user),
      await makeKey(test.ctx, user, { podcasts: idsOf(shows) }),
      await makeKey(test.ctx, user, { podcasts: [shows[0]!.id, shows[1]!.id, last.id] }),
    ];
    await cutOffPodcastKeys(test.ctx, last.id);
    const after = await makeKey(test.ctx, user, { podcasts: [shows[0]!.id, last.id] });
    const lengths = [];
    for (const { secret } of [...keys, after]) {
      const readable: string[] = [];
      for (const { id: podcastId } of shows) {
        const ctx = await actWithKey(test.ctx, secret, { podcastId });
        try {
          readable.push((await authorize(ctx, 'podcast.read', { podcastId })).podcastId);
        } catch {
          // `authorize` throws: the list leaves it out.
        }
      }
      const listed = idsOf((await list(secret)).items);
      expect([...listed].sort()).toEqual(readable.sort());
      lengths.push(listed.length);
    }
    // The owner's, four plans, five roles with team keys, admin and custom without; minus the last.
    expect(lengths).toEqual([11, 11, 1, 2]);
  });

  // KEYED-1
  it('the podcasts that a key reaches come oldest first, each page where the last one ended', async () => {
    const user = await makeUser(test.ctx);
    const ages = [3, 9, 1, 9, 9, 5];
    const shows: Podcast[] = [];
    for (const age of ages) {
      shows.push(await makePodcast(test.ctx, { owner: user, createdAt: agedDays(age) }));
    }
    const expected = [...shows].sort(
      (one, other) =>
        one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1),
    );
    for (const podcasts of ['all', idsOf(shows)] as const) {
      const { secret } = await makeKey(test.ctx, user, { podcasts });
      const pages: string[] = [];
      let after: PodcastPosition | undefined;
      do {
        const page = await list(secret, 2, after);
        pages.push(...idsOf(page.items));
        after = page.next;
      } while (after !== undefined && pages.length <= ages.length);
      expect(pages).toEqual(idsOf(expected));
      expect(await podcastsOf(secret)).toEqual(podcasts === 'all' ? 'all' : idsOf(expected));
    }
  });

  // KEY-14, KEY-16
  it('the podcasts that a key reaches do not include those that its user has left, or from which the key was cut off', async () => {
    const user = await makeUser(test.ctx);
    const [kept, left, cut] = [
      await makeShow(user, {}),
      await makeShow(user, {}),
      await makeShow(user, {}),
    ];
    const { secret } = await makeKey(test.ctx, user, { podcasts: idsOf([kept, left, cut]) });
    const ctx = test.contextFor({ kind: 'user', userId: user.id });
    await leavePodcast(ctx, left.id);
    await cutOffPodcastKeys(test.ctx, cut.id);
    expect(await podcastsOf(secret)).toEqual([kept.id]);
  });

  it('the podcasts that a key reaches have their fields, and the role of the user', async () => {
    const user = await makeUser(test.ctx);
    const podcast = await makeShow(user, { role: 'custom', teamKeys: false });
    const { secret } = await makeKey(test.ctx, user);
    expect((await list(secret)).items).toEqual([
      {
        id: podcast.id,
        slug: podcast.slug,
        title: podcast.title,
        status: 'active',
        hostingType: 'hosted',
        timezone: 'UTC',
        createdAt: podcast.createdAt,
        membership: {
          role: 'custom',
          roleName: 'Keys',
          capabilities: ['show.api_access'],
          seesAllEpisodes: false,
        },
      },
    ]);
  });
});
