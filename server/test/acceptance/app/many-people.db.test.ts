import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { peopleLimits } from '../../../src/lib/limits.ts';
import { type Browser, openSignedIn } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { fillPeople } from '../../fill-people.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';
import { longestTaskMs } from '../../watch-event-loop.ts';

/** A show with as many people as possible, who have as long texts as possible. */
let app: TestApp;
let show: Podcast;
let browser: Browser;
let url: string;
let episodeUrl: string;

const mostMs = 50;

beforeAll(async () => {
  app = await createTestApp();
  const owner = await makeUser(app.ctx, 'enterprise');
  show = await makePodcast(app.ctx, { owner });
  const { id } = await makeEpisode(app.ctx, show);
  const { known, roster, textBytes } = peopleLimits;
  await fillPeople(app, show.id, { known, roster, bioBytes: textBytes / known - 40 });
  browser = await openSignedIn(app, owner);
  url = `/app/api/podcasts/${show.id}/people`;
  episodeUrl = `/app/api/episodes/${id}/people`;
});
afterAll(() => app[Symbol.asyncDispose]());

interface Listed {
  readonly id: string;
  readonly name: string;
}

async function put(people: readonly object[], at = url): Promise<void> {
  const response = await browser.send('PUT', at, { people }, { 'if-match': '*' });
  expect(response.statusCode).toBe(200);
}

const list = async () => (await browser.get(url)).json().data.people as Listed[];

it('the longest list of people is read without blocking', async () => {
  expect(await longestTaskMs(() => browser.get(url), mostMs)).toBeLessThan(mostMs);
  expect(await list()).toHaveLength(peopleLimits.known);
  expect((await browser.get(url)).body.length).toBeLessThan(3_000_000);
});

it('the longest list of people is saved without blocking, with one change or in another order', async () => {
  const names = (await list()).map(({ id, name }) => ({ id, name }));
  let saves = 0;
  const rename = (people: readonly Listed[]) =>
    put(people.map((person, at) => (at === 7 ? { ...person, name: `New ${saves++}` } : person)));
  expect(await longestTaskMs(() => rename(names), mostMs)).toBeLessThan(mostMs);
  const everything = (await browser.get(url)).json().data.people as (Listed & { photo?: null })[];
  const complete = everything.map(({ photo: _, ...person }) => person);
  expect(await longestTaskMs(() => rename(complete), mostMs)).toBeLessThan(mostMs);
  let order = names;
  const move = () => {
    order = [...order.slice(-1), ...order.slice(0, -1)];
    return put(order);
  };
  expect(await longestTaskMs(move, mostMs)).toBeLessThan(mostMs);
  expect((await list()).map(({ id }) => id)).toEqual(order.map(({ id }) => id));
});

it('an episode of a show with the most people is credited without blocking', async () => {
  expect(await longestTaskMs(() => browser.get(episodeUrl), mostMs)).toBeLessThan(mostMs);
  const people = (await list()).slice(0, peopleLimits.credits);
  const credits = people.map(({ id }) => ({ person_id: id }));
  expect(await longestTaskMs(() => put(credits, episodeUrl), mostMs)).toBeLessThan(mostMs);
});

it('a show with the longest list of people is exported without blocking', async () => {
  const exportUrl = `/app/api/podcasts/${show.id}/export`;
  expect((await browser.get(exportUrl)).statusCode).toBe(200);
  expect(await longestTaskMs(() => browser.get(exportUrl), mostMs)).toBeLessThan(mostMs);
});
