import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import {
  type EpisodeStatus,
  episodeStatuses,
} from '../../../src/domain/foundation/enumerations.ts';
import { attachTone, removeAudio } from '../../../src/domain/publishing/audio/index.ts';
import { type Episode, statusesAfter } from '../../../src/domain/publishing/episodes/index.ts';
import { addMember, type Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { type Browser, createBrowser } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let owner: User;
let podcast: Podcast;
let browser: Browser;
let analyst: Browser;

beforeAll(async () => {
  app = await createTestApp();
  owner = await makeUser(app.ctx);
  browser = createBrowser(app);
  await browser.signIn(owner.email);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  podcast = await makePodcast(app.ctx, { owner });
});

async function signInAnalyst() {
  if (analyst !== undefined) return;
  const user = await makeUser(app.ctx);
  await addMember(app.ctx, { podcastId: podcast.id, userId: user.id, role: 'analyst' });
  analyst = createBrowser(app, { address: '203.0.113.1' });
  await analyst.signIn(user.email);
}

const inAnHour = () => new Date(app.clock.now().getTime() + 3_600_000);

async function makeIn(status: EpisodeStatus, { hasAudio = true } = {}): Promise<Episode> {
  const scheduled = status === 'scheduled' ? { scheduledFor: inAnHour() } : {};
  const episode = await makeEpisode(app.ctx, podcast, { status, ...scheduled });
  if (hasAudio) await attachTone(app.ctx, episode.id, 1);
  return episode;
}

const urlOf = ({ id }: Pick<Episode, 'id'>) => `/app/api/episodes/${id}`;
const read = async (episode: Pick<Episode, 'id'>, as = browser) =>
  (await as.get(urlOf(episode))).json().data;
const listed = async (episode: Pick<Episode, 'id'>, as = browser) => {
  const { data } = (await as.get(`/app/api/podcasts/${podcast.id}/episodes`)).json();
  return data.find(({ id }: { id: string }) => id === episode.id);
};

const actions = {
  publish: 'published',
  schedule: 'scheduled',
  unpublish: 'draft',
  archive: 'archived',
} as const;
type Action = keyof typeof actions;
const actionNames = Object.keys(actions) as Action[];

function act(episode: Pick<Episode, 'id'>, action: Action, body: object = {}) {
  const time = action === 'schedule' ? { scheduled_for: inAnHour().toISOString() } : {};
  return browser.send(
    'POST',
    `${urlOf(episode)}/${action}`,
    { ...time, ...body },
    { 'if-match': '*' },
  );
}

describe('what an episode may become', () => {
  for (const status of episodeStatuses) {
    // STATE-5
    it(`an episode that is ${status} accepts the statuses that it may become, and no others`, async () => {
      for (const action of actionNames) {
        const episode = await makeIn(status);
        const { may_become: next, ...draft } = await read(episode);
        expect([...next].sort()).toEqual([...statusesAfter(status)].sort());
        expect(await listed(episode)).toMatchObject({ may_become: next, to_confirm: [] });
        expect([draft.status, draft.to_confirm]).toEqual([status, []]);
        const response = await act(episode, action);
        const isSame = actions[action] === status;
        const mayDo = isSame || next.includes(actions[action]);
        expect([response.statusCode, action], status).toEqual([mayDo ? 200 : 400, action]);
        if (mayDo) {
          const state = { status: actions[action], may_become: statusesAfter(actions[action]) };
          expect(response.json().data).toMatchObject(state);
        } else {
          const { message } = response.json().error;
          expect(message).toBe(`This episode is ${status}. Return it to draft first.`);
        }
      }
    });
  }

  it('an episode may not become anything for a member who may not publish', async () => {
    await signInAnalyst();
    await addAnalyst();
    const episode = await makeIn('draft');
    expect((await read(episode, analyst)).may_become).toEqual([]);
    expect((await listed(episode, analyst)).may_become).toEqual([]);
  });
});

/** The same user, in the show of this test. */
async function addAnalyst() {
  const { user } = (await analyst.get('/app/api/me')).json().data;
  const member = { podcastId: podcast.id, userId: user.id, role: 'analyst' } as const;
  await addMember(app.ctx, member).catch(() => undefined);
}

describe('an episode without audio', () => {
  for (const action of ['publish', 'schedule'] as const) {
    for (const status of ['draft', 'pending_confirmation'] as const) {
      // STATE-10
      it(`an episode without audio needs a confirmation to ${action} it from ${status}`, async () => {
        const episode = await makeIn(status, { hasAudio: false });
        expect((await read(episode)).to_confirm).toEqual(['without_audio']);
        expect((await listed(episode)).to_confirm).toEqual(['without_audio']);
        const refused = await act(episode, action);
        expect(refused.statusCode).toBe(400);
        expect(refused.json().error.details).toEqual([
          {
            field: 'confirm',
            reason: 'without_audio',
            message: expect.stringContaining('not in the feed'),
            message_key: 'without_audio',
            values: {},
          },
        ]);
        expect((await read(episode)).status).toBe(status);
        const done = await act(episode, action, { confirm: ['without_audio'] });
        expect(done.json().data.status).toBe(actions[action]);
      });
    }
  }

  it('an episode without audio is refused another confirmation than the known ones', async () => {
    const episode = await makeIn('draft', { hasAudio: false });
    expect((await act(episode, 'publish', { confirm: ['everything'] })).statusCode).toBe(400);
    expect((await act(episode, 'publish', { confirm: true })).statusCode).toBe(400);
  });

  it('an episode without audio stays scheduled if its audio is removed later, and says so', async () => {
    const episode = await makeIn('scheduled');
    await removeAudio(app.ctx, episode.id);
    const draft = await read(episode);
    expect(draft).toMatchObject({ status: 'scheduled', to_confirm: ['without_audio'] });
    const { data } = (await browser.get('/app/api/home')).json();
    const { needs } = data.find(({ id }: { id: string }) => id === podcast.id);
    expect(needs).toContainEqual(expect.objectContaining({ kind: 'scheduled_without_audio' }));
  });
});

describe('several episodes', () => {
  const change = (action: string, ids: readonly string[], as = browser) =>
    as.send('POST', `/app/api/podcasts/${podcast.id}/episodes/bulk`, { action, ids });
  const refused = { done: false, revision: null, status: null };

  it('several episodes change each on its own', async () => {
    const episode = await makeIn('draft');
    const archived = await makeIn('archived');
    const foreign = await makeEpisode(app.ctx, await makePodcast(app.ctx, { owner }));
    const unknown = newId();
    const ids = [episode.id.toUpperCase(), archived.id, foreign.id, unknown, episode.id];
    const response = await change('publish', ids);
    expect(response.statusCode).toBe(200);
    const missing = { code: 'not_found', message: 'There is no such episode.' };
    expect(response.json().data).toEqual([
      { id: episode.id, done: true, revision: 3, status: 'published', error: null },
      {
        id: archived.id,
        ...refused,
        error: {
          code: 'invalid_request',
          message: 'This episode is archived. Return it to draft first.',
          message_key: 'is_archived',
          values: {},
          reason: 'draft_first',
        },
      },
      { id: foreign.id, ...refused, error: missing },
      { id: unknown, ...refused, error: missing },
    ]);
    expect((await read(episode)).status).toBe('published');
  });

  it('several episodes are published without those that have no audio', async () => {
    const silent = await makeIn('draft', { hasAudio: false });
    const sounding = await makeIn('draft');
    const [first, second] = (await change('publish', [silent.id, sounding.id])).json().data;
    expect(first).toMatchObject({ ...refused, error: { reason: 'without_audio' } });
    expect(second).toMatchObject({ done: true, status: 'published' });
    expect((await read(silent)).status).toBe('draft');
  });

  it('several episodes are deleted', async () => {
    const { id } = await makeIn('draft');
    const response = await change('delete', [id]);
    expect(response.json().data).toMatchObject([{ id, done: true, revision: null }]);
    expect((await browser.get(urlOf({ id }))).statusCode).toBe(404);
  });

  it('several episodes are refused one by one without permission', async () => {
    await signInAnalyst();
    await addAnalyst();
    const { id } = await makeIn('draft');
    const [outcome] = (await change('archive', [id], analyst)).json().data;
    expect([outcome.done, outcome.error.code]).toEqual([false, 'forbidden']);
  });

  it('several episodes are at least one, and at most a hundred', async () => {
    expect((await change('publish', [])).statusCode).toBe(400);
    expect((await change('publish', Array.from({ length: 101 }, newId))).statusCode).toBe(400);
    expect((await change('rename', [newId()])).statusCode).toBe(400);
  });
});

describe('an undo', () => {
  const restoreMany = (episodes: object[]) =>
    browser.send('POST', `/app/api/podcasts/${podcast.id}/episodes/restore-status`, {
      episodes,
      confirm: ['without_audio'],
    });
  const stateOf = ({ status, published_at, scheduled_for }: Record<string, unknown>) => ({
    status,
    published_at,
    scheduled_for,
  });

  it('an undo with a revision that cannot be one is refused', async () => {
    const { id } = await makeIn('draft');
    const earlier = { status: 'draft', published_at: null, scheduled_for: null };
    for (const revision of [0, 1.5, 1_000_000_000, 2 ** 53])
      expect((await restoreMany([{ id, revision, ...earlier }])).statusCode).toBe(400);
    const [outcome] = (await restoreMany([{ id, revision: 999_999_999, ...earlier }])).json().data;
    expect(outcome).toMatchObject({ id, done: false, error: { code: 'precondition_failed' } });
  });

  for (const status of episodeStatuses) {
    it(`an undo takes every change of a ${status} episode back, one by one or with others`, async () => {
      for (const action of actionNames.filter((each) =>
        statusesAfter(status).includes(actions[each]),
      )) {
        for (const isOne of [true, false]) {
          const episode = await makeIn(status);
          const before = stateOf(await read(episode));
          const { revision } = (await act(episode, action)).json().data;
          const back = isOne
            ? await browser.send('POST', `${urlOf(episode)}/restore-status`, before, {
                'if-match': `"${revision}"`,
              })
            : await restoreMany([{ id: episode.id, revision, ...before }]);
          expect([back.statusCode, action]).toEqual([200, action]);
          const after = stateOf(await read(episode));
          // What waited for a confirmation is a draft; what was never public keeps its minute.
          const expected = status === 'pending_confirmation' ? 'draft' : status;
          expect(after, action).toMatchObject({
            status: expected,
            scheduled_for: before.scheduled_for,
            ...(status === 'published' && { published_at: before.published_at }),
          });
        }
      }
    });
  }

  it('changes nothing that somebody else has changed since', async () => {
    const episode = await makeIn('published');
    const before = stateOf(await read(episode));
    const { revision } = (await act(episode, 'archive')).json().data;
    await act(episode, 'unpublish');
    const [outcome] = (await restoreMany([{ id: episode.id, revision, ...before }])).json().data;
    expect([outcome.done, outcome.error.code]).toEqual([false, 'precondition_failed']);
    const late = await browser.send('POST', `${urlOf(episode)}/restore-status`, before, {
      'if-match': `"${revision}"`,
    });
    expect(late.statusCode).toBe(412);
    expect((await read(episode)).status).toBe('draft');
  });

  it('an undo is all or nothing, and publishes nothing without audio unless that is confirmed', async () => {
    const episode = await makeIn('archived', { hasAudio: false });
    const before = { status: 'published', published_at: null, scheduled_for: null };
    const restore = (body: object) =>
      browser.send('POST', `${urlOf(episode)}/restore-status`, body, { 'if-match': '*' });
    expect((await restore(before)).json().error.details[0].reason).toBe('without_audio');
    expect((await read(episode)).status).toBe('archived');
    expect((await restore({ ...before, confirm: ['without_audio'] })).statusCode).toBe(200);
    const wrong = { ...before, published_at: 'yesterday' };
    expect((await restore(wrong)).json().error.details[0].field).toBe('published_at');
    const response = await restoreMany([{ id: episode.id, revision: 1, ...wrong }]);
    expect(response.json().error.details[0].field).toBe('episodes.0.published_at');
  });
});
