import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/create-test-app.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { patience } from '../../../../test/patience.ts';
import type { Podcast } from '../../../domain/publishing/podcasts/index.ts';
import { Turns } from '../../../platform/processes/turns.ts';
import { LargeBuilds } from '../../limits/large-builds.ts';

/** The longest description that the field allows: 300 kB of UTF-8. */
const longest = '語'.repeat(100_000);
const episodes = 4;

const begin = vi.spyOn(LargeBuilds.prototype, 'begin');
const take = vi.spyOn(Turns.prototype, 'take');
/** The turns of large builds: only their claims say what is in memory. */
const builtTurns = () =>
  take.mock.settledResults.filter((_, at) => take.mock.calls[at]?.[0].heldBytes !== undefined);
const refusals = () => builtTurns().filter(({ type }) => type === 'rejected').length;

let app: TestApp;
let builds: LargeBuilds;
let port: number;
let long: Podcast;
let short: Podcast;

beforeAll(async () => {
  app = await createTestApp();
  long = await makePodcast(app.ctx);
  short = await makePodcast(app.ctx);
  for (let i = 0; i < episodes; i += 1) {
    await makeEpisode(app.ctx, long, { description: longest });
    await makeEpisode(app.ctx, short, { description: 'Short', showNotesHtml: longest });
  }
  await app.http.server.listen({ port: 0, host: '127.0.0.1' });
  port = (app.http.server.server.address() as AddressInfo).port;
  await text(request(`/v1/podcasts/${short.slug}`));
  builds = begin.mock.contexts[0] as LargeBuilds;
  begin.mockRestore();
});
afterAll(async () => {
  take.mockRestore();
  await app[Symbol.asyncDispose]();
});

const clients: Socket[] = [];
beforeEach(() => void take.mockClear());
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

function request(path: string): Socket {
  const client = connect(port, '127.0.0.1').on('error', () => undefined);
  clients.push(client);
  client.write(`GET ${path} HTTP/1.1\r\nHost: test.local\r\nConnection: close\r\n\r\n`);
  return client;
}

const statusOf = async (client: Socket) => (await text(client)).slice(9, 12);

const lists = [
  { name: 'a filtered list', path: (slug: string) => `/v1/podcasts/${slug}/episodes?season=1` },
  { name: 'a list', path: (slug: string) => `/v1/podcasts/${slug}/episodes?limit=50` },
  { name: 'the page of a show', path: (slug: string) => `/listen/${slug}` },
];

describe.each(lists)('$name of long texts', ({ path }) => {
  it('a page waits for its turn before the texts are read', async () => {
    using other = builds.begin(long.id);
    await other.grow(1024 * 1024, 0);
    const client = request(path(long.slug));
    await vi.waitFor(() => expect(builtTurns()).toHaveLength(2), patience);
    expect(take.mock.lastCall?.[0]).toMatchObject({ owner: long.id, heldBytes: 0 });
    other[Symbol.dispose]();
    expect(await statusOf(client)).toBe('200');
    expect(builtTurns()).toHaveLength(2);
  });

  it('a page of long texts is not read for a client that has left', async () => {
    const podcast = await makePodcast(app.ctx);
    for (let i = 0; i < 2; i += 1) await makeEpisode(app.ctx, podcast, { description: longest });
    using other = builds.begin(podcast.id);
    await other.grow(1024 * 1024, 0);
    const client = request(path(podcast.slug));
    await vi.waitFor(() => expect(builtTurns()).toHaveLength(2), patience);
    client.destroy();
    await vi.waitFor(() => expect(refusals()).toBe(1), patience);
  });

  it('a page of long texts does not take a turn if its texts are short, whatever it omits', async () => {
    expect(await statusOf(request(path(short.slug)))).toBe('200');
    expect(builtTurns()).toEqual([]);
  });
});

it('a filtered list of long texts is the same as an unfiltered one', async () => {
  const [list, filtered] = await Promise.all(
    ['limit=20', 'season=1'].map((query) =>
      app.request({ url: `/v1/podcasts/${long.slug}/episodes?${query}` }),
    ),
  );
  expect(filtered?.json()).toEqual(list?.json());
  expect(list?.json().data).toHaveLength(episodes);
  expect(list?.json().data[0].description).toBe(longest);
});
