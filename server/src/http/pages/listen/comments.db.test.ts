import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/create-test-app.ts';
import {
  type FediverseHost,
  makeReply,
  openFediverseHost,
  repliesPath,
} from '../../../../test/hosts/fediverse-host.ts';
import { hostileBodies, hostileSites } from '../../../../test/hosts/hostile-sites.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { purgeThreadsJob } from '../../../domain/public/comments/index.ts';
import { type Podcast, pausePodcast } from '../../../domain/publishing/podcasts/index.ts';
import { createOutboundHttp } from '../../../platform/outbound-http/create-outbound-http.ts';
import type { OutboundHttp } from '../../../platform/outbound-http/outbound-http.ts';

// PAGE-22: comments on episodes, from servers of the fediverse.

const opened = new AsyncDisposableStack();
let app: TestApp;
let show: Podcast;

/** The production client, less patient. Only the host's own address is allowed, not all of loopback. */
function createHastyClient(): OutboundHttp {
  const options = { allow: ['127.0.0.1'], userAgent: 'test' };
  const client = createOutboundHttp(options);
  return {
    request: client.request,
    fetchBytes: (url, request) =>
      client.fetchBytes(url, { ...request, timeoutMs: Math.min(request.timeoutMs, 300) }),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

beforeAll(async () => {
  const outbound = opened.use(createHastyClient());
  app = opened.use(await createTestApp({}, { outbound }));
  show = await makePodcast(app.ctx, { title: 'Night Signals', language: 'de' });
});
afterAll(() => opened.disposeAsync());

async function makeDiscussed(uri: string, podcast = show): Promise<{ id: string; slug: string }> {
  const attributes = [
    ['protocol', 'activitypub'],
    ['uri', uri],
  ] as const;
  const element = { name: 'podcast:socialInteract', attributes, text: '', children: [] };
  return makeEpisode(app.ctx, podcast, { title: 'First light', extraElements: [element] });
}

const get = (id: string) => app.request({ method: 'GET', url: `/comments/${id}` });
const later = (minutes: number) =>
  app.clock.set(new Date(app.clock.now().getTime() + minutes * 60_000));
const open = async () => {
  const host: FediverseHost = await openFediverseHost();
  return {
    host,
    episode: await makeDiscussed(host.postUrl),
    [Symbol.asyncDispose]: host[Symbol.asyncDispose],
  };
};

describe('the comments on an episode', () => {
  it('the comments on an episode are a page of their own, to which its page only links', async () => {
    await using discussed = await open();
    const { host, episode } = discussed;
    const content = '<p>Good! <script>alert(1)</script><img src="https://a.example/x.png"></p>';
    host.setReplies([makeReply({ content, account: { acct: 'bo', display_name: '<b>Bo</b>' } })]);
    const page = await app.request({ method: 'GET', url: `/listen/${show.slug}/${episode.slug}` });
    expect(page.body).toContain(`href="http://test.local/comments/${episode.id}" data-comments`);
    expect(host.requestCount()).toBe(0);
    const response = await get(episode.id);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-security-policy']).toContain("script-src 'none'");
    expect(response.headers['cache-control']).toBe('public, max-age=60');
    expect(response.body).toContain('&lt;b&gt;Bo&lt;/b&gt;');
    expect(response.body).toContain('<p>Good!');
    expect(response.body).toContain(`href="${host.postUrl}"`);
    expect(response.body).toContain('Kommentare im Fediverse');
    expect(response.body).not.toMatch(/<script|a\.example/);
  });

  it('the comments on an episode are requested once in 15 minutes, however many ask', async () => {
    await using discussed = await open();
    const { host, episode } = discussed;
    host.setReplies([makeReply({ content: '<p>Old</p>' })]);
    const first = await Promise.all(Array.from({ length: 40 }, () => get(episode.id)));
    expect(host.requestCount()).toBe(1);
    // Those that could not wait for the others' request may try again at once.
    for (const { body, headers } of first) {
      const caching = body.includes('<p>Old') ? 'public, max-age=60' : 'no-store';
      expect(headers['cache-control']).toBe(caching);
    }
    host.setReplies([makeReply({ content: '<p>New</p>' })]);
    later(14);
    expect((await get(episode.id)).body).toContain('Old');
    expect(host.requestCount()).toBe(1);
    later(2);
    expect((await get(episode.id)).body).toContain('New');
    expect(host.requestCount()).toBe(2);
  });

  it('the comments of two episodes that name the same post are requested once', async () => {
    await using discussed = await open();
    const { host, episode } = discussed;
    await get(episode.id);
    for (const other of ['', '?x=1', '/']) {
      const { id } = await makeDiscussed(`${host.postUrl}${other}`);
      expect((await get(id)).body).toContain('class="comments"');
    }
    expect(host.requestCount()).toBe(1);
  });

  it('the comments of a show are requested from 200 posts in 15 minutes at most', async () => {
    await using discussed = await open();
    const { host } = discussed;
    const [prolific, other] = [await makePodcast(app.ctx), await makePodcast(app.ctx)];
    const ask = async (n: number, podcast: Podcast) => {
      const { id } = await makeDiscussed(host.postUrl.replace(/1$/, `x${n}`), podcast);
      expect((await get(id)).statusCode).toBe(200);
    };
    for (let n = 0; n < 205; n += 1) await ask(n, prolific);
    expect(host.requestCount()).toBe(200);
    await ask(205, other);
    expect(host.requestCount()).toBe(201);
    later(16);
    await ask(206, prolific);
    expect(host.requestCount()).toBe(202);
  });

  it('the comments of a show stay up to date while another without requests names its post', async () => {
    await using discussed = await open();
    const { host, episode } = discussed;
    const greedy = await makePodcast(app.ctx);
    const read = async (path: string) => {
      const { id } = await makeDiscussed(host.postUrl.replace(/1$/, path), greedy);
      return await get(id);
    };
    host.setReplies([makeReply({ content: '<p>Old</p>' })]);
    await get(episode.id);
    later(16);
    for (let n = 0; n < 200; n += 1) await read(`y${n}`);
    const asked = host.requestCount();
    expect((await read('1')).body).toContain('Old');
    expect((await read('unread')).body).not.toContain('class="comments"');
    expect(host.requestCount()).toBe(asked);
    host.setReplies([makeReply({ content: '<p>New</p>' })]);
    expect((await get(episode.id)).body).toContain('New');
    const { id: other } = await makeDiscussed(host.postUrl.replace(/1$/, 'unread'));
    await get(other);
    expect(host.requestCount()).toBe(asked + 2);
  });

  it('the comments on an episode stay for a day while their server is away', async () => {
    await using discussed = await open();
    const { host, episode } = discussed;
    host.setReplies([makeReply({ content: '<p>Kept</p>' })]);
    await get(episode.id);
    host.respond(repliesPath, (_, response) => void response.writeHead(503).end());
    later(23 * 60);
    expect((await get(episode.id)).body).toContain('Kept');
    await purgeThreadsJob.run(
      app.ctx,
      undefined as never,
      { signal: new AbortController().signal } as never,
    );
    expect((await get(episode.id)).body).toContain('Kept');
    later(2 * 60);
    const away = await get(episode.id);
    expect(away.statusCode).toBe(200);
    expect(away.body).not.toContain('Kept');
    expect(away.body).not.toContain('class="comments"');
    expect(away.body).toContain('nicht laden');
  });

  it('the comments that nobody has asked for in a day are deleted', async () => {
    await using discussed = await open();
    await get(discussed.episode.id);
    later(25 * 60);
    await purgeThreadsJob.run(
      app.ctx,
      undefined as never,
      { signal: new AbortController().signal } as never,
    );
    const { rows } = await app.database.pool.query('select post_url from comment_threads');
    expect(rows).toEqual([]);
  });

  it('an episode without a post, an unknown one and a draft have no comments', async () => {
    const silent = await makeEpisode(app.ctx, show, {});
    const statuses = [silent.id, randomUUID(), 'x', silent.id.toUpperCase()];
    for (const id of statuses) expect((await get(id)).statusCode, id).toBe(404);
    const page = await app.request({ method: 'GET', url: `/listen/${show.slug}/${silent.slug}` });
    expect(page.body).not.toContain('data-comments>');
    const paused = await makePodcast(app.ctx, {});
    const hidden = await makeDiscussed('https://social.example/@a/1', paused);
    await pausePodcast(app.ctx, paused.id);
    expect((await get(hidden.id)).statusCode).not.toBe(200);
  });
});

describe('a hostile server', () => {
  it('a hostile server cannot send characters that nobody can store', async () => {
    await using discussed = await open();
    const { host, episode } = discussed;
    const odd = 'a\ud83d\0\udc4db\ufffe&#0;&#xd800;';
    const account = { acct: odd, display_name: `${odd.repeat(300)}👍` };
    const urls = { url: `https://social.example/@a/${odd}`, created_at: '+275760-09-13' };
    host.setReplies([makeReply({ account, content: `<p>${odd}</p>`, spoiler_text: odd, ...urls })]);
    for (let times = 0; times < 2; times += 1) {
      const { statusCode, body } = await get(episode.id);
      expect(statusCode).toBe(200);
      expect(body).toMatch(/<p>a\ufffd*b\ufffd*<\/p>/);
      expect(body.isWellFormed()).toBe(true);
    }
    expect(host.requestCount()).toBe(1);
  });

  it.each([...hostileSites, ...hostileBodies])(
    'a hostile server that $title costs one short request, and shows nothing',
    async ({ handle }) => {
      await using discussed = await open();
      const { host, episode } = discussed;
      host.respond(repliesPath, handle);
      const response = await get(episode.id);
      expect(response.statusCode).toBe(200);
      expect(response.body).not.toContain('class="comments"');
      await get(episode.id);
      expect(host.requestCount()).toBe(1);
    },
  );

  it('a hostile server cannot send more than two megabytes, or what is no thread', async () => {
    await using discussed = await open();
    const { host, episode } = discussed;
    const many = Array.from({ length: 100_000 }, (_, i) => makeReply({ id: `m${i}` }));
    host.setReplies(many);
    expect((await get(episode.id)).body).not.toContain('class="comments"');
    for (const body of ['null', '[]', `{"descendants":${'['.repeat(100_000)}`]) {
      later(16);
      host.respond(repliesPath, (_, response) => void response.end(body));
      expect((await get(episode.id)).body, body.slice(0, 20)).not.toContain('class="comments"');
    }
  });

  it.each([
    'https://127.0.0.1/@a/1',
    'http://169.254.169.254/@a/1',
    'https://[::1]/@a/1',
    'http://10.0.0.1/@a/1',
  ])('a post at a private address is not requested: %s', async (uri) => {
    const { id } = await makeDiscussed(uri);
    expect((await get(id)).body).not.toContain('class="comments"');
  });
});
