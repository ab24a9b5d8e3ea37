import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { fieldsRefused } from '../../../../test/refusal-of.ts';
import type { Context } from '../../foundation/context.ts';
import { authorize, type Capability } from '../../foundation/permissions/index.ts';
import { addMember, readPodcast } from '../podcasts/index.ts';
import {
  addPerson,
  type GivenPerson,
  readEpisodeCredits,
  readPeople,
  setCredits,
  setPeople,
} from './index.ts';

let test: TestContext;

beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

/** A member with these capabilities, and an episode that credits somebody else. */
async function setUp(capabilities: readonly Capability[]) {
  const podcast = await makePodcast(test.ctx);
  const { id: userId } = await makeUser(test.ctx);
  const role = { role: 'custom', roleName: 'Booker', capabilities } as const;
  await addMember(test.ctx, { podcastId: podcast.id, userId, ...role });
  const ana = await addPerson(test.ctx, { podcastId: podcast.id, name: 'Ana' });
  const episode = await makeEpisode(test.ctx, podcast, { status: 'draft' });
  await setCredits(test.ctx, episode.id, [{ personId: ana.id }]);
  const ctx: Context = { ...test.ctx, principal: { kind: 'user', userId } };
  const name = (linkedTo: string | null) =>
    setPeople(ctx, podcast.id, [{ id: ana.id, name: 'Ana B.', userId: linkedTo }]);
  return { name, userId, read: () => authorize(ctx, 'episodes.read', { episodeId: episode.id }) };
}

it('lets no member see more episodes by linking a person with themselves', async () => {
  const { name, userId, read } = await setUp(['episodes.people']);
  expect(await fieldsRefused(read())).toBe('not_found');
  expect(await fieldsRefused(name(userId))).toBe('forbidden');
  expect(await fieldsRefused(read())).toBe('not_found');
  await name(null);
});

it('lets members who see all episodes link people with members', async () => {
  const { name, userId, read } = await setUp(['episodes.people', 'episodes.view_all']);
  await name(userId);
  await read();
  await name(null);
});

it('makes a revision only of a list that changes something', async () => {
  const { id } = await makePodcast(test.ctx);
  const set = (people: readonly GivenPerson[]) => setPeople(test.ctx, id, people);
  const revision = async () => (await readPodcast(test.ctx, id)).revision;
  await set([{ name: 'Ana', bio: 'Hears antennas.' }, { name: 'Ben' }]);
  const read = await readPeople(test.ctx, id);
  const [ana, ben] = read.map(({ podcastId: _, ...person }) => person);
  if (ana === undefined || ben === undefined) throw new Error('nobody was added');
  expect(await revision()).toBe(2);

  await set([ana, ben]);
  await set([
    { id: ana.id.toUpperCase(), name: ' Ana ' },
    { name: 'Ben', role: 'HOST' },
  ]);
  expect(await revision()).toBe(2);
  await set([ben, ana]);
  expect(await revision()).toBe(3);
  await set([ben, { ...ana, bio: 'Hears whales.' }]);
  expect(await revision()).toBe(4);
  await set([ben, { name: 'Cleo' }]);
  expect(await revision()).toBe(5);
  await set([ben]);
  expect(await revision()).toBe(6);
  expect((await readPeople(test.ctx, id)).map(({ name }) => name)).toEqual(['Ben']);
});

it('makes no revision of a list that leaves out somebody off the roster', async () => {
  const podcast = await makePodcast(test.ctx);
  const { id } = podcast;
  const set = (...names: readonly string[]) =>
    setPeople(
      test.ctx,
      id,
      names.map((name) => ({ name })),
    );
  const revision = async () => (await readPodcast(test.ctx, id)).revision;
  const rosterOf = async () =>
    (await readPeople(test.ctx, id)).map(({ name, roster }) => [name, roster]);
  const guest = await addPerson(test.ctx, { podcastId: id, name: 'Ben', roster: false });
  const episode = await makeEpisode(test.ctx, podcast);
  await setCredits(test.ctx, episode.id, [{ personId: guest.id }]);
  await set('Ana');
  const before = await revision();
  await set('Ana');
  expect(await revision()).toBe(before);
  expect(await rosterOf()).toEqual(expect.arrayContaining([['Ben', false]]));

  // Without credits, the list without them deletes them.
  await setCredits(test.ctx, episode.id, []);
  const uncredited = await revision();
  await set('Ana');
  expect(await revision()).toBe(uncredited + 1);
  expect(await rosterOf()).toEqual([['Ana', true]]);
});

it('refuses an outdated revision, though the list changes nothing', async () => {
  const { id } = await makePodcast(test.ctx);
  await setPeople(test.ctx, id, [{ name: 'Ana' }]);
  const again = setPeople(test.ctx, id, [{ name: 'Ana' }], { expected: 1 });
  expect(await fieldsRefused(again)).toContain('people');
});

it('reads no bios of the people that an episode could credit', async () => {
  const podcast = await makePodcast(test.ctx);
  await addPerson(test.ctx, { podcastId: podcast.id, name: 'Ana', bio: 'Hears antennas.' });
  const episode = await makeEpisode(test.ctx, podcast);
  const { known } = await readEpisodeCredits(test.ctx, episode.id);
  expect(known).toMatchObject([{ name: 'Ana', role: 'host', roster: true }]);
  expect(known[0]).not.toHaveProperty('bio');
});
