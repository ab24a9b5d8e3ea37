import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countStatements } from '../../../../test/count-statements.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { fillPeople } from '../../../../test/fill-people.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { peopleLimits } from '../../../lib/limits.ts';
import type { User } from '../../foundation/accounts/index.ts';
import { addMember, type Podcast } from '../podcasts/index.ts';
import {
  addPerson,
  creditMember,
  editCredits,
  findOrAddPerson,
  listOwnCredits,
  readPeople,
  setCredits,
  setPeople,
} from './index.ts';

const { known: most, roster: mostOnRoster, credits: mostCredits, textBytes } = peopleLimits;

let test: TestContext;
let podcast: Podcast;
let podcastId: string;
let episodeId: string;
let member: User;

beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  podcast = await makePodcast(test.ctx, { owner: await makeUser(test.ctx, 'enterprise') });
  podcastId = podcast.id;
  ({ id: episodeId } = await makeEpisode(test.ctx, podcast, { status: 'draft' }));
  member = await makeUser(test.ctx);
  await addMember(test.ctx, { podcastId, userId: member.id, role: 'cohost' });
});

const countPeople = async () => (await readPeople(test.ctx, podcastId)).length;

/** `done`, or the reason and the message of the refusal. */
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    ({ message, details }) => `${details?.[0]?.reason ?? 'refused'}: ${message}`,
  );

/** The whole list as it is, and somebody more. */
async function listWith(name: string, fields: { roster?: boolean; bio?: string } = {}) {
  const people = await readPeople(test.ctx, podcastId);
  return [...people.map(({ id, name }) => ({ id, name })), { name, ...fields }];
}

const off = { roster: false };
const waysToAdd: Record<string, () => Promise<unknown>> = {
  addPerson: () => addPerson(test.ctx, { podcastId, name: 'Ada', ...off }),
  findOrAddPerson: () => findOrAddPerson(test.ctx, { podcastId, name: 'Ada', ...off }),
  setPeople: async () => setPeople(test.ctx, podcastId, await listWith('Ada', off)),
  editCredits: () => editCredits(test.ctx, episodeId, [{ name: 'Ada' }]),
  creditMember: () => creditMember(test.ctx, { podcastId, userId: member.id }, [episodeId]),
};

// LIM-15
describe('the people of a show', () => {
  it.each(Object.entries(waysToAdd))('the people of a show have a limit for %s', async (_, add) => {
    await fillPeople(test, podcastId, { known: most });
    expect(await outcomeOf(add())).toBe(
      `people_full: A show can have at most ${most} people. Remove some, and try again.`,
    );
    expect(await countPeople()).toBe(most);
    await test.database.pool.query('delete from people where podcast_id = $1 and position = 1', [
      podcastId,
    ]);
    expect(await outcomeOf(add())).toBe('done');
    expect(await countPeople()).toBe(most);
  });

  it('the people of a show do not exceed the limit through two that are added at once', async () => {
    await fillPeople(test, podcastId, { known: most - 1 });
    const outcomes = await Promise.all(
      ['Ada', 'Bea'].map((name) => outcomeOf(addPerson(test.ctx, { podcastId, name, ...off }))),
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(await countPeople()).toBe(most);
  });

  it('the people of a show can be corrected and removed above the limit', async () => {
    await fillPeople(test, podcastId, { known: most + 5 });
    const [first, ...others] = await listWith('Ada', off);
    const list = [{ ...first, name: 'Corrected' }, ...others.slice(0, -1)];
    expect(await outcomeOf(setPeople(test.ctx, podcastId, list))).toBe('done');
    expect(await outcomeOf(setPeople(test.ctx, podcastId, list.slice(0, -1)))).toBe('done');
    expect(await countPeople()).toBe(most + 4);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['addPerson', () => addPerson(test.ctx, { podcastId, name: 'Ada' })],
    [
      'a known person',
      () => findOrAddPerson(test.ctx, { podcastId, name: 'Person 501', roster: true }),
    ],
    ['setPeople', async () => setPeople(test.ctx, podcastId, await listWith('Ada'))],
  ])('the people of a show have a limit on the roster for %s', async (_, add) => {
    await fillPeople(test, podcastId, { known: mostOnRoster + 1, roster: mostOnRoster });
    expect(await outcomeOf(add())).toMatch(
      `roster_full: The roster of a show can have at most ${mostOnRoster} people.`,
    );
    expect(await outcomeOf(addPerson(test.ctx, { podcastId, name: 'Bea', ...off }))).toBe('done');
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'a bio',
      async () =>
        setPeople(test.ctx, podcastId, await listWith('Ada', { ...off, bio: 'b'.repeat(9_999) })),
    ],
    [
      'a link',
      () =>
        addPerson(test.ctx, {
          podcastId,
          name: 'Ada',
          linkUrl: `https://a.example/${'l'.repeat(2_000)}`,
        }),
    ],
  ])('the people of a show have a limit of texts for %s', async (_, add) => {
    await fillPeople(test, podcastId, { known: 100, bioBytes: textBytes / 100 - 40 });
    expect(await outcomeOf(add())).toMatch(
      'people_texts_full: The names, bios and links of a show’s people can have at most 1 MB in total.',
    );
    expect(await outcomeOf(addPerson(test.ctx, { podcastId, name: 'Ada' }))).toBe('done');
  });
});

describe('setting the people of a show', () => {
  it('setting the people of a show takes no statement for those who stay the same', async () => {
    await fillPeople(test, podcastId, { known: 300 });
    const list = (await listWith('Ada', off)).slice(0, -1);
    const set = (people: typeof list) => {
      const counted = countStatements(test.ctx);
      return setPeople(counted.ctx, podcastId, people).then(() => counted.count());
    };
    const few = (await set(list)) + 10;
    expect(few).toBeLessThan(20);
    expect(await set(list.with(7, { ...list[7], name: 'Renamed' }))).toBeLessThan(few);
    const reversed = list.toReversed();
    expect(await set(reversed)).toBeLessThan(few);
    const more = Array.from({ length: 100 }, (_, n) => ({ name: `New ${n}` }));
    expect(await set([...reversed, ...more])).toBeLessThan(few);
    expect((await readPeople(test.ctx, podcastId)).slice(0, 2)).toMatchObject([
      { name: 'Person 300', linkUrl: 'https://example.com/300' },
      { name: 'Person 299' },
    ]);
    expect(await set([{ name: 'Ada' }])).toBeLessThan(few);
    expect(await countPeople()).toBe(1);
  });
});

// LIM-15
describe('the credits of an episode', () => {
  it('the credits of an episode have a limit', async () => {
    await fillPeople(test, podcastId, { known: mostCredits + 1 });
    const credits = (await readPeople(test.ctx, podcastId)).map(({ id }) => ({ personId: id }));
    const refusal = `refused: An episode can have at most ${mostCredits} credits. Remove some, and try again.`;
    expect(await outcomeOf(setCredits(test.ctx, episodeId, credits))).toBe(refusal);
    expect(await outcomeOf(editCredits(test.ctx, episodeId, credits))).toBe(refusal);
    expect(await outcomeOf(setCredits(test.ctx, episodeId, credits.slice(1)))).toBe('done');
    expect(await listOwnCredits(test.ctx, episodeId)).toHaveLength(mostCredits);
  });

  it('the credits of an episode have the same limit when a member joins the roster', async () => {
    await fillPeople(test, podcastId, { known: mostCredits, roster: mostCredits });
    const credit = () => creditMember(test.ctx, { podcastId, userId: member.id }, [episodeId]);
    expect(await outcomeOf(credit())).toMatch('An episode can have at most');
    expect(await listOwnCredits(test.ctx, episodeId)).toEqual([]);
  });
});
