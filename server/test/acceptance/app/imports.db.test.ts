import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listAbandonedImports, resumeImport } from '../../../src/domain/exchange/imports/index.ts';
import { ListedImport } from '../../../src/http/app/api/imports-endpoints.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { openPodcastHost, type PodcastHost, writeTestFeed } from '../../hosts/podcast-host.ts';
import { makeUser } from '../../make.ts';

let app: TestApp;
let host: PodcastHost;
let browser: Browser;

beforeEach(async () => {
  app = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' });
  host = await openPodcastHost();
  browser = createBrowser(app);
  await browser.signIn((await makeUser(app.ctx)).email);
});
afterEach(async () => {
  await host[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

async function carryOut() {
  for (const id of await listAbandonedImports(app.ctx)) {
    await resumeImport(app.ctx, id).catch(() => undefined);
  }
}

const one = { guid: '1', title: 'One', audio: 'https://cdn.example/1.mp3' };
const serve = (channel = '') => host.serve('/feed.xml', writeTestFeed({ channel, items: [one] }));
const order = (body: object = {}) =>
  browser.send('POST', '/app/api/imports', {
    ...{ url: `${host.url}/feed.xml`, copy_audio: false },
    ...body,
  });

describe('an import by the private API', () => {
  it('an import by the private API is requested, runs in the background, and is shown and listed', async () => {
    serve();
    const dry = await order({ dry_run: true });
    expect(dry.statusCode).toBe(201);
    const ordered = (await order()).json().data;
    expect(ordered).toMatchObject({ state: 'running', report: null, podcast: null });
    await carryOut();
    const shown = (await browser.get(`/app/api/imports/${ordered.id}`)).json().data;
    expect(shown).toMatchObject({
      state: 'finished',
      podcast: { slug: 'night-signals' },
      report: { import_id: ordered.id, created: 1, next_steps: expect.any(Array) },
    });
    const list = (await browser.get('/app/api/imports?limit=1')).json();
    expect(list.data).toMatchObject([{ id: ordered.id, state: 'finished' }]);
    const { report: _, ...listed } = shown;
    expect(list.data).toEqual([listed]);
    expect(Object.keys(listed).sort()).toEqual(Object.keys(ListedImport.properties).sort());
    const { next_cursor: cursor } = list.pagination;
    const rest = (await browser.get(`/app/api/imports?limit=1&cursor=${cursor}`)).json();
    expect(rest.data).toMatchObject([{ id: dry.json().data.id, dry_run: true }]);
  });

  it('an import by the private API is cancelled, and resumed', async () => {
    serve();
    const { id } = (await order()).json().data;
    const cancelled = await browser.send('POST', `/app/api/imports/${id}/cancel`, {});
    expect(cancelled.json().data.state).toBe('cancelled');
    const resumed = await browser.send('POST', `/app/api/imports/${id}/resume`, {});
    expect(resumed.json().data.state).toBe('running');
    await carryOut();
    expect((await browser.get(`/app/api/imports/${id}`)).json().data.state).toBe('finished');
  });

  it.each([
    ['running', 'https://feeds.example/x.xml'],
    ['finished', 'https://feeds.example/x.xml'],
    ['failed', 'https://feeds.example/x.xml'],
    ['cancelled', 'https://feeds.example/x.xml'],
    ['failed', null],
    ['cancelled', null],
  ])('what may be done with an import is what is accepted: %s, from %s', async (state, source) => {
    serve();
    const put = async () => {
      const { id } = (await order()).json().data;
      const sql = 'update imports set state = $2, source_url = $3 where id = $1';
      await app.database.pool.query(sql, [id, state, source]);
      return (await browser.get(`/app/api/imports/${id}`)).json().data;
    };
    const [cancelled, resumed] = [await put(), await put()];
    const does = async (id: string, what: 'cancel' | 'resume') =>
      (await browser.send('POST', `/app/api/imports/${id}/${what}`, {})).statusCode === 200;
    expect(await does(cancelled.id, 'cancel')).toBe(cancelled.may_cancel);
    // One that is running needs no start; whoever requests it changes nothing.
    const starts = (await does(resumed.id, 'resume')) && state !== 'running';
    expect(starts).toBe(resumed.may_resume);
  });

  it('an import by the private API of a locked feed needs the code emailed to its owner', async () => {
    serve('<podcast:locked owner="ana@feeds.example">yes</podcast:locked>');
    const { id } = (await order()).json().data;
    await carryOut();
    const failed = (await browser.get(`/app/api/imports/${id}`)).json().data;
    expect(failed).toMatchObject({ state: 'failed', error: { reason: 'feed_locked' } });
    const sent = await browser.send('POST', '/app/api/feed-codes', { url: `${host.url}/feed.xml` });
    expect(sent.statusCode).toBe(201);
    const code = sent.json().data;
    expect(code).toMatchObject({ sent_to: 'a…@feeds.example' });
    const wrong = await browser.send('POST', `/app/api/feed-codes/${code.id}/confirm`, {
      code: '1',
    });
    expect(wrong.json().error.details).toMatchObject([{ field: 'code', reason: 'code_wrong' }]);
    const { rows } = await app.database.pool.query<{ content: { code: string } }>(
      `select content from emails where template = 'feed-code'`,
    );
    const right = { code: rows[0]?.content.code };
    const confirmed = await browser.send('POST', `/app/api/feed-codes/${code.id}/confirm`, right);
    expect(confirmed.statusCode).toBe(204);
    await browser.send('POST', `/app/api/imports/${id}/resume`, {});
    await carryOut();
    expect((await browser.get(`/app/api/imports/${id}`)).json().data.state).toBe('finished');
  });
});
