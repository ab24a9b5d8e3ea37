import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { fieldsRefused } from '../../../../test/refusal-of.ts';
import type { Context } from '../../foundation/context.ts';
import { authorize, type Capability } from '../../foundation/permissions/index.ts';
import { addMember } from '../podcasts/index.ts';
import { addPerson } from './add-person.ts';
import { creditMember, getRoleToCredit, listCreditedEpisodes } from './credit-member.ts';
import { listOwnCredits, setCredits } from './set-credits.ts';

let test: TestContext;

beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const as = (userId: string): Context => ({ ...test.ctx, principal: { kind: 'user', userId } });

async function setUp() {
  const owner = await makeUser(test.ctx);
  const podcast = await makePodcast(test.ctx, { owner });
  const { id: userId } = await makeUser(test.ctx);
  const member = { podcastId: podcast.id, userId };
  await addMember(test.ctx, { ...member, role: 'cohost' });
  const [first, second] = [
    await makeEpisode(test.ctx, podcast, { status: 'draft' }),
    await makeEpisode(test.ctx, podcast, { status: 'draft' }),
  ];
  const names = async ({ id }: { id: string }) =>
    (await listOwnCredits(test.ctx, id)).map(({ name }) => name);
  const sees = ({ id }: { id: string }) =>
    authorize(as(userId), 'episodes.read', { episodeId: id }).then(
      () => true,
      () => false,
    );
  return { ctx: as(owner.id), owner, podcast, member, first, second, names, sees };
}

it('credits a member of the roster, who sees the episode then; the others stay on it', async () => {
  const { ctx, podcast, member, first, second, names, sees } = await setUp();
  await addPerson(test.ctx, { podcastId: podcast.id, name: 'Ana' });
  await addPerson(test.ctx, { podcastId: podcast.id, name: 'Ben', userId: member.userId });
  expect(await sees(first)).toBe(false);
  await creditMember(ctx, member, [first.id]);
  expect(await names(first)).toEqual(['Ana', 'Ben']);
  expect([await sees(first), await sees(second)]).toEqual([true, false]);
  expect(await listCreditedEpisodes(ctx, member)).toEqual([first.id]);
});

it('adds to the credits that an episode has, and changes nothing where the member is credited', async () => {
  const { ctx, podcast, member, first, second, names } = await setUp();
  await addPerson(test.ctx, { podcastId: podcast.id, name: 'Ana' });
  const guest = await addPerson(test.ctx, { podcastId: podcast.id, name: 'Cy', roster: false });
  const ben = await addPerson(test.ctx, {
    ...{ podcastId: podcast.id, name: 'Ben', roster: false },
    userId: member.userId,
  });
  await setCredits(test.ctx, first.id, [{ personId: guest.id }]);
  await setCredits(test.ctx, second.id, [{ personId: ben.id }, { personId: guest.id }]);
  await creditMember(ctx, member, [first.id, second.id, first.id]);
  expect(await names(first)).toEqual(['Cy', 'Ben']);
  expect(await names(second)).toEqual(['Ben', 'Cy']);
});

it('makes a member who is none of the people one of them, off the roster', async () => {
  const { ctx, member, first, second, names } = await setUp();
  await creditMember(ctx, member, [first.id]);
  expect(await names(first)).toHaveLength(1);
  expect(await names(second)).toEqual([]);
});

it.each([
  ['cohost', 'co-host'],
  ['editor', 'host'],
] as const)(
  'makes a member with the role %s a %s, unless they are a person already',
  async (role, expected) => {
    const { ctx, podcast, first } = await setUp();
    const [user, known] = [await makeUser(test.ctx), await makeUser(test.ctx)];
    const member = { podcastId: podcast.id, userId: user.id };
    await addMember(test.ctx, { ...member, role });
    expect(await getRoleToCredit(ctx, member)).toBe(expected);
    await creditMember(ctx, member, [first.id]);
    expect(await getRoleToCredit(ctx, member)).toBe(expected);
    const other = { podcastId: podcast.id, userId: known.id };
    await addMember(test.ctx, { ...other, role });
    await addPerson(test.ctx, { podcastId: podcast.id, name: known.name, role: 'guest' });
    expect(await getRoleToCredit(ctx, other)).toBe('guest');
    await creditMember(ctx, other, [first.id]);
    const credits = await listOwnCredits(test.ctx, first.id);
    expect(credits.map((credit) => credit.role)).toEqual([expected, 'guest']);
  },
);

it('makes the owner a host', async () => {
  const { ctx, podcast, owner } = await setUp();
  expect(await getRoleToCredit(ctx, { podcastId: podcast.id, userId: owner.id })).toBe('host');
});

it('credits on all episodes or on none', async () => {
  const { ctx, member, first, names } = await setUp();
  const { first: foreign } = await setUp();
  expect(await fieldsRefused(creditMember(ctx, member, [first.id, foreign.id]))).toBe(
    'episode_ids[1]',
  );
  expect(await names(first)).toEqual([]);
});

it.each<[readonly Capability[], 'forbidden' | undefined]>([
  [['episodes.people', 'episodes.view_all'], undefined],
  [['episodes.people'], 'forbidden'],
  [['episodes.view_all', 'episodes.edit'], 'forbidden'],
])('a user with %j credits a member, with the refusal: %s', async (capabilities, refusal) => {
  const { podcast, member, first } = await setUp();
  const { id } = await makeUser(test.ctx);
  const role = { role: 'custom', roleName: 'Booker', capabilities } as const;
  await addMember(test.ctx, { podcastId: podcast.id, userId: id, ...role });
  const credited = creditMember(as(id), member, [first.id]);
  if (refusal === undefined) await credited;
  else expect(await fieldsRefused(credited)).toBe(refusal);
});

it('finds nobody who is not on the team', async () => {
  const { ctx, podcast, first } = await setUp();
  const { id: userId } = await makeUser(test.ctx);
  const stranger = { podcastId: podcast.id, userId };
  expect(await fieldsRefused(creditMember(ctx, stranger, [first.id]))).toBe('not_found');
});
