import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { type Episode, updateEpisode } from '../../../src/domain/publishing/episodes/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { setChapters } from '../../../src/domain/publishing/transcripts/index.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let owner: User;
let podcast: Podcast;
let browser: Browser;

beforeAll(async () => {
  app = await createTestApp();
  owner = await makeUser(app.ctx);
  podcast = await makePodcast(app.ctx, { owner });
  browser = createBrowser(app);
  await browser.signIn(owner.email);
});
afterAll(() => app[Symbol.asyncDispose]());

const write = ({ id }: Episode, step: string, ifMatch?: string) =>
  browser.send(
    'POST',
    `/app/api/episodes/${id}/${step}`,
    step === 'publish' ? { confirm: ['without_audio'] } : {},
    ifMatch === undefined ? {} : { 'if-match': ifMatch },
  );

describe('a write of an episode', () => {
  it('requires the present revision, and returns the next', async () => {
    const episode = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    const published = await write(episode, 'publish', '"1"');
    expect([published.statusCode, published.headers['etag']]).toEqual([200, '"2"']);
    expect(published.json().data).toMatchObject({ status: 'published', revision: 2 });
    const late = await write(episode, 'unpublish', '"1"');
    expect([late.statusCode, late.headers['etag']]).toEqual([412, '"2"']);
    expect(late.headers['cache-control']).toBe('no-store');
    const at = app.clock.now().toISOString();
    const message = `${owner.name} changed this at ${at}.`;
    const change = { message, reason: 'changed', changed_by: owner.name, changed_at: at };
    expect(late.json().error).toEqual({
      code: 'precondition_failed',
      message: 'The episode has changed. Check it and try again.',
      details: [
        { field: 'status', ...change },
        { field: 'published_at', ...change },
      ],
      request_id: expect.any(String),
    });
    expect((await write(episode, 'unpublish', '"2"')).headers['etag']).toBe('"3"');
  });

  it('changes nothing if its revision is outdated', async () => {
    const episode = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    await updateEpisode(app.ctx, episode.id, { title: 'Two', subtitle: 'New' });
    await setChapters(app.ctx, episode.id, [{ startMs: 0, title: 'Start' }]);
    const late = await write(episode, 'publish', '"1"');
    const { details } = late.json().error;
    expect(details.map(({ field }: { field: string }) => field)).toEqual([
      'chapters',
      'title',
      'subtitle',
    ]);
    expect(details[0]).toMatchObject({ changed_by: null });
    const { rows } = await app.database.pool.query(
      'select status, revision from episodes where id = $1',
      [episode.id],
    );
    expect(rows).toEqual([{ status: 'draft', revision: 3 }]);
  });

  it('overwrites any revision with *', async () => {
    const episode = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    await updateEpisode(app.ctx, episode.id, { title: 'Two' });
    expect((await write(episode, 'publish', '*')).headers['etag']).toBe('"3"');
  });

  it('a write of an episode keeps the revision where nothing changes', async () => {
    const episode = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    expect((await write(episode, 'unpublish', '"1"')).headers['etag']).toBe('"1"');
    expect((await write(episode, 'unpublish', '"2"')).statusCode).toBe(412);
    const { title } = episode;
    expect((await updateEpisode(app.ctx, episode.id, { title })).revision).toBe(1);
  });

  it('a write of an episode is refused without If-Match', async () => {
    const episode = await makeEpisode(app.ctx, podcast, { status: 'draft' });
    const response = await write(episode, 'publish');
    expect([response.statusCode, response.json().error.code]).toEqual([
      428,
      'precondition_required',
    ]);
  });

  it.each(['1', '"0"', '"01"', '"-1"', 'W/"1"', '"1", "2"', '""', '"1e3"', '"99999999999"', ''])(
    'a write of an episode is refused with the If-Match %s',
    async (ifMatch) => {
      const episode = await makeEpisode(app.ctx, podcast, { status: 'draft' });
      const response = await write(episode, 'publish', ifMatch);
      expect([response.statusCode, response.json().error.code]).toEqual([400, 'invalid_request']);
      expect(response.json().error.details[0].field).toBe('If-Match');
    },
  );
});
