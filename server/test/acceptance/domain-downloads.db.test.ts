import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { attachTone } from '../../src/domain/publishing/audio/index.ts';
import { checkDomain, setDomain } from '../../src/domain/publishing/domains/index.ts';
import { type CountingApp, createCountingApp } from '../create-counting-app.ts';
import { createDomainRecords, servedAt } from '../hosts/domain-records.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { patience } from '../patience.ts';

const records = createDomainRecords();
const host = 'pod.example';
let app: CountingApp;
let podcastId: string;
let episodeId: string;

beforeAll(async () => {
  app = await createCountingApp({}, { dns: records });
  const podcast = await makePodcast(app.ctx);
  podcastId = podcast.id;
  episodeId = (await makeEpisode(app.ctx, podcast, { slug: 'one' })).id;
  await attachTone(app.ctx, episodeId, 120);
  const { token } = await setDomain(app.ctx, podcastId, host);
  records.set(host, { txt: token, addresses: [servedAt] });
  expect((await checkDomain(app.ctx, podcastId)).state).toBe('verified');
});
afterAll(() => app[Symbol.asyncDispose]());

async function download(from: string, client: string, referer: string): Promise<void> {
  const request = httpGet(`${app.url}/media/${episodeId}/l/one.mp3`, {
    headers: { host: from, 'x-forwarded-for': client, 'user-agent': 'AntennaPod/3.4', referer },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await once(response.resume(), 'end');
}

// DOMAIN-7
it('a listener who uses both hosts is one download, under the host of the page', async () => {
  await vi.waitFor(() => download(host, '203.0.113.1', `http://${host}/`), patience);
  await download('test.local', '203.0.113.1', 'http://test.local/');
  await download('test.local', '203.0.113.2', `http://${host}/`);
  const sums = async () => {
    await app.downloads.flush();
    const { rows } = await app.database.pool.query<{ value: string; downloads: number }>(
      `select dimension || ' ' || value as value, downloads::int from podcast_download_dimensions
        where podcast_id = $1 and dimension in ('sources', 'referrers') and downloads > 0`,
      [podcastId],
    );
    return Object.fromEntries(rows.map(({ value, downloads }) => [value, downloads]));
  };
  await expect.poll(sums, patience).toEqual({ 'sources listen_page': 2, [`referrers ${host}`]: 2 });
});
