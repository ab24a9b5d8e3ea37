import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { type Browser, createBrowser, openSignedIn } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let owner: User;
let show: Podcast;
let browser: Browser;
let url: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner });
  browser = await openSignedIn(app, owner);
  url = `/app/api/podcasts/${show.id}/webhooks`;
});

const hook = {
  url: 'https://example.com/hook?token=a',
  types: ['show.updated', 'episode.published'],
};
const create = async (body: object = hook) => browser.send('POST', url, body);

describe('the webhooks of a show', () => {
  // HOOK-1, HOOK-7
  it('a webhook is created, read, changed, rolled and deleted, and only two responses have a secret', async () => {
    const created = await create();
    expect(created.statusCode).toBe(201);
    const { webhook, secret } = created.json().data;
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    expect(webhook).toEqual({
      id: expect.any(String),
      url: hook.url,
      types: ['episode.published', 'show.updated'],
      created_at: expect.any(String),
      is_on: true,
      ...{ off_reason: null, off_at: null, failing_since: null, grace_ends_at: null },
    });
    const one = `${url}/${webhook.id}`;
    const listed = await browser.get(url);
    expect(listed.json()).toMatchObject({ data: [webhook], most: 10, may_create: true });
    expect((await browser.get(one)).json().data).toEqual(webhook);
    const changed = await browser.send('PATCH', one, { is_on: false, types: ['show.updated'] });
    expect(changed.json().data).toMatchObject({ is_on: false, off_reason: 'user' });
    const rolled = await browser.send('POST', `${one}/roll`, {});
    expect(rolled.json().data.secret).not.toBe(secret);
    expect(rolled.json().data.webhook.grace_ends_at).not.toBeNull();
    for (const response of [listed, changed, await browser.get(one)])
      expect(response.body).not.toContain('whsec_');
    expect((await browser.send('DELETE', one)).statusCode).toBe(204);
    expect((await browser.get(one)).statusCode).toBe(404);
  });

  it('a test is in the list of deliveries, which has pages', async () => {
    const { webhook } = (await create()).json().data;
    const one = `${url}/${webhook.id}`;
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const test = await browser.send('POST', `${one}/test`, {});
      expect(test.statusCode).toBe(201);
      ids.unshift(test.json().data.id);
    }
    const first = (await browser.get(`${one}/deliveries?limit=2`)).json();
    expect(first.data[0]).toMatchObject({
      ...{ id: ids[0], type: 'ping', state: 'waiting', is_due: true, attempts: 0 },
      ...{ status: null, error: null, response: null, episode_id: null },
    });
    const { next_cursor: cursor } = first.pagination;
    const second = (await browser.get(`${one}/deliveries?limit=2&cursor=${cursor}`)).json();
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect(second.pagination.next_cursor).toBeNull();
    const again = await browser.send('POST', `${one}/deliveries/${ids[2]}/send`, {});
    expect(again.json().data).toMatchObject({ id: ids[2], state: 'waiting' });
  });

  it('a webhook with a wrong URL or event is refused, with the fields', async () => {
    const refused = await create({ url: 'http://example.com', types: ['x'] });
    expect(refused.statusCode).toBe(400);
    const { details } = refused.json().error;
    expect(details.map(({ field }: { field: string }) => field)).toEqual(['url', 'types']);
  });

  it('webhooks are not found for strangers, nor under another show', async () => {
    const { webhook } = (await create()).json().data;
    const stranger = await openSignedIn(app, await makeUser(app.ctx));
    const other = await makePodcast(app.ctx, { owner });
    const paths = [url, `${url}/${webhook.id}`, `${url}/${webhook.id}/deliveries`];
    for (const path of paths) expect((await stranger.get(path)).statusCode).toBe(404);
    const moved = `/app/api/podcasts/${other.id}/webhooks/${webhook.id}`;
    expect((await browser.get(moved)).statusCode).toBe(404);
    const signedOut = createBrowser(app);
    expect((await signedOut.get(url)).statusCode).toBe(401);
  });
});
