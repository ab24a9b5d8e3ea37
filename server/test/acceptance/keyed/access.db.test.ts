import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cutOffPodcastKeys,
  getKeyIdentity,
  listReachedPodcasts,
  type NewKey,
  revokeKey,
} from '../../../src/domain/access/keys/index.ts';
import {
  listEpisodeAnalytics,
  readBreakdown,
  readEpisodeDownloads,
  readPlatformImport,
  readPodcastDownloads,
} from '../../../src/domain/audience/analytics/index.ts';
import { setPlan, type User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Context } from '../../../src/domain/foundation/context.ts';
import { userScopes } from '../../../src/domain/foundation/enumerations.ts';
import { DomainError } from '../../../src/domain/foundation/errors.ts';
import { anyone } from '../../../src/domain/foundation/principal.ts';
import {
  archiveEpisode,
  type Episode,
  listEpisodes,
  type NewEpisode,
  readEpisode,
  readShowNotes,
} from '../../../src/domain/publishing/episodes/index.ts';
import {
  addPerson,
  listCredits,
  listRoster,
  setCredits,
} from '../../../src/domain/publishing/people/index.ts';
import {
  addMember,
  type NewMember,
  type NewPodcast,
  type Podcast,
  pausePodcast,
  readPodcast,
  suspendPodcast,
} from '../../../src/domain/publishing/podcasts/index.ts';
import {
  parseTranscript,
  readTranscriptPage,
  setTranscript,
} from '../../../src/domain/publishing/transcripts/index.ts';
import { keyedRoutes } from '../../../src/http/v1/keyed/index.ts';
import { actWithKey } from '../../act-with-key.ts';
import { askWithKey } from '../../ask-with-key.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makeKey, makePodcast, makeUser } from '../../make.ts';
import { accessTable, parseAccessTable } from './access-table.ts';

const { callers, rows } = parseAccessTable(accessTable);

/** The membership of each caller. The owner created the show; `nobody` is not a member. */
const members: Readonly<Record<string, Omit<NewMember, 'podcastId' | 'userId'>>> = {
  admin: { role: 'admin' },
  editor: { role: 'editor' },
  analyst: { role: 'analyst' },
  on: { role: 'cohost' },
  off: { role: 'cohost' },
  custom: {
    role: 'custom',
    roleName: 'Clerk',
    capabilities: ['episodes.view_all', 'show.api_access'],
  },
};

interface State {
  readonly podcast?: Partial<NewPodcast>;
  readonly episode?: Partial<NewEpisode>;
  /** The caller's key; `named`: limited to the podcast, `elsewhere`: to another one. */
  readonly key?: 'named' | 'elsewhere' | Partial<NewKey>;
  /** A change after everything is created. */
  readonly after?: (ctx: Context, made: Made) => Promise<unknown>;
}

interface Made {
  readonly podcast: Podcast;
  readonly episode: Episode;
  readonly owner: User;
}

const lapse: State['after'] = (ctx, { owner }) =>
  setPlan(ctx, { email: owner.email, plan: 'enterprise', planState: 'lapsed' });
const cutOff: State['after'] = (ctx, { podcast }) => cutOffPodcastKeys(ctx, podcast.id);
const inHours = (hours: number) => new Date(app.clock.now().getTime() + hours * 3_600_000);

const states: Readonly<Record<string, () => State>> = {
  'as usual': () => ({}),
  named: () => ({ key: 'named' }),
  'not named': () => ({ key: 'elsewhere' }),
  'only analytics': () => ({ key: { scopes: ['analytics:read'] } }),
  'no analytics': () => ({
    key: { scopes: userScopes.filter((scope) => scope !== 'analytics:read') },
  }),
  free: () => ({
    after: (ctx, { owner }) =>
      setPlan(ctx, { email: owner.email, plan: 'free', planState: 'active' }),
  }),
  lapsed: () => ({ after: lapse }),
  'lapsed, team keys off': () => ({ podcast: { teamKeys: false }, after: lapse }),
  'lapsed, not named': () => ({ key: 'elsewhere', after: lapse }),
  'lapsed, cut off': () => ({
    after: async (ctx, made) => {
      await cutOff(ctx, made);
      await lapse(ctx, made);
    },
  }),
  'cut off': () => ({ after: cutOff }),
  'team keys off': () => ({ podcast: { teamKeys: false } }),
  'draft show': () => ({ podcast: { status: 'draft' } }),
  paused: () => ({ after: (ctx, { podcast }) => pausePodcast(ctx, podcast.id) }),
  suspended: () => ({ after: (ctx, { podcast }) => suspendPodcast(ctx, podcast.id) }),
  moved: () => ({ podcast: { status: 'moved', newFeedUrl: 'https://new.example/feed.xml' } }),
  external: () => ({ podcast: { hostingType: 'external' } }),
  pending: () => ({ episode: { status: 'pending_confirmation' } }),
  draft: () => ({ episode: { status: 'draft' } }),
  scheduled: () => ({ episode: { status: 'scheduled', scheduledFor: inHours(1) } }),
  due: () => ({ episode: { status: 'scheduled', scheduledFor: inHours(-1) } }),
  archived: () => ({ after: (ctx, { episode }) => archiveEpisode(ctx, episode.id) }),
  'transcript shared': () => ({ episode: { shareTranscriptWithCohosts: true } }),
  'transcript shared, team keys off': () => ({
    podcast: { teamKeys: false },
    episode: { shareTranscriptWithCohosts: true },
  }),
};

let app: TestApp;
let users: Map<string, User>;
let elsewhere: Podcast;

beforeAll(async () => {
  app = await createTestApp();
  users = new Map();
  for (const caller of callers) users.set(caller, await makeUser(app.ctx, 'enterprise'));
  elsewhere = await makePodcast(app.ctx, { owner: getUser('owner') });
});
afterAll(() => app[Symbol.asyncDispose]());

function getUser(caller: string): User {
  const user = users.get(caller);
  if (user === undefined) throw new Error(`there is no caller ${caller}`);
  return user;
}

/** Makes the show with all members, an episode that credits one, and one without credits. */
async function make({ podcast: show, episode: its }: State): Promise<Made> {
  const { ctx } = app;
  const owner = getUser('owner');
  const podcast = await makePodcast(ctx, { owner, teamKeys: true, ...show });
  for (const [caller, member] of Object.entries(members)) {
    await addMember(ctx, { podcastId: podcast.id, userId: getUser(caller).id, ...member });
  }
  const name = (caller: string) =>
    addPerson(ctx, { podcastId: podcast.id, name: caller, userId: getUser(caller).id });
  const episode = await makeEpisode(ctx, podcast, its);
  await setCredits(ctx, episode.id, [{ personId: (await name('on')).id }]);
  await name('off');
  await makeEpisode(ctx, podcast);
  const transcript = parseTranscript('WEBVTT\n\n00:00.000 --> 00:01.000\nWords\n');
  await setTranscript(ctx, episode.id, { ...transcript, language: 'en' });
  return { podcast, episode, owner };
}

function keyFor(key: State['key'], podcast: Podcast): Partial<NewKey> {
  if (key === 'named') return { podcasts: [podcast.id] };
  return key === 'elsewhere' ? { podcasts: [elsewhere.id] } : (key ?? {});
}

/** The result of a caller, in the words of the table. */
async function seenBy(secret: string, endpoint: string, made: Made): Promise<string> {
  const { podcast, episode } = made;
  const url = endpoint
    .replace('GET ', '')
    .replace(':podcast_id', podcast.id)
    .replace(':episode_id', episode.id);
  const filters = 'limit=100&dimension=apps&source=apple';
  const response = await askWithKey(app, secret, `${url}?${filters}`);
  const { data, error } = response.json();
  if (response.statusCode === 403) return words[error.code] ?? error.code;
  if (response.statusCode !== 200) {
    expect(error.code).toBe('not_found');
    return String(response.statusCode);
  }
  const ids: string[] = Array.isArray(data) ? data.map(({ id }) => id) : [];
  if (url.endsWith('/podcasts')) return ids.includes(podcast.id) ? 'in' : 'out';
  if (!url.endsWith('/episodes') || url.includes('/analytics/')) return '200';
  return ids.length > 1 ? 'all' : ids.length === 0 ? 'none' : ids[0] === episode.id ? 'own' : '?';
}

const words: Readonly<Record<string, string>> = {
  insufficient_scope: 'scope',
  plan_upgrade_required: 'plan',
  forbidden: 'role',
};

type Read = (ctx: Context, made: Made) => Promise<unknown>;
const page = { after: undefined, limit: 100 };
const range = { preset: '30d' } as const;
const series = { range, interval: 'day' } as const;

/** The verb behind each endpoint. Those about one podcast or episode serve sessions as well. */
const reads: Readonly<Record<string, Read>> = {
  'GET /v1/me/podcasts/:podcast_id': (ctx, { podcast }) => readPodcast(ctx, podcast.id),
  'GET /v1/me/podcasts/:podcast_id/people': (ctx, { podcast }) => listRoster(ctx, podcast.id, page),
  'GET /v1/me/podcasts/:podcast_id/episodes': async (ctx, { podcast, episode }) => {
    const query = { podcastId: podcast.id, status: undefined, ...page };
    const { items } = await listEpisodes(ctx, query);
    return items.length > 1 ? 'all' : items[0]?.id === episode.id ? 'own' : 'none';
  },
  'GET /v1/me/episodes/:episode_id': (ctx, { episode }) => readEpisode(ctx, episode.id),
  'GET /v1/me/episodes/:episode_id/show-notes': (ctx, { episode }) =>
    readShowNotes(ctx, episode.id),
  'GET /v1/me/episodes/:episode_id/credits': (ctx, { episode }) =>
    listCredits(ctx, episode.id, page),
  'GET /v1/me/episodes/:episode_id/transcript': (ctx, { episode }) =>
    readTranscriptPage(ctx, episode.id, page),
  'GET /v1/me/podcasts/:podcast_id/analytics/downloads': (ctx, { podcast }) =>
    readPodcastDownloads(ctx, podcast.id, series),
  'GET /v1/me/podcasts/:podcast_id/analytics/episodes': (ctx, { podcast }) =>
    listEpisodeAnalytics(ctx, { podcastId: podcast.id, range, ...page }),
  'GET /v1/me/podcasts/:podcast_id/analytics/breakdowns': (ctx, { podcast }) =>
    readBreakdown(ctx, {
      podcastId: podcast.id,
      episodeId: undefined,
      dimension: 'apps',
      range,
    }),
  'GET /v1/me/podcasts/:podcast_id/analytics/platforms': (ctx, { podcast }) =>
    readPlatformImport(ctx, { podcastId: podcast.id, source: 'apple', ...page }),
  'GET /v1/me/episodes/:episode_id/analytics/downloads': (ctx, { episode }) =>
    readEpisodeDownloads(ctx, episode.id, series),
};

const signedIn = 'signed in';

const readsWithKey: Readonly<Record<string, Read>> = {
  ...reads,
  'GET /v1/me': getKeyIdentity,
  'GET /v1/me/podcasts': async (ctx, { podcast }) => {
    const { items } = await listReachedPodcasts(ctx, { limit: 100 });
    return items.some(({ id }) => id === podcast.id) ? 'in' : 'out';
  },
};

/** The same for the result or error of a verb. */
async function seenByVerb(ctx: Context, read: Read | undefined, made: Made): Promise<string> {
  if (read === undefined) throw new Error('there is no verb for this endpoint');
  try {
    const seen = await read(ctx, made);
    return typeof seen === 'string' ? seen : '200';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return words[error.kind] ?? '404';
  }
}

/**
 * A signed-in user sees the same as with a valid key, independent of the state of keys and plans.
 * The table has the exceptions.
 */
async function expectSessionsToSee(state: string, made: Made): Promise<void> {
  const asUsual = state.includes('transcript shared') ? 'transcript shared' : 'as usual';
  for (const [endpoint, read] of Object.entries(reads)) {
    const seen: string[] = [];
    for (const caller of callers) {
      const ctx = app.contextFor({ kind: 'user', userId: getUser(caller).id });
      seen.push(await seenByVerb(ctx, read, made));
    }
    const ofEndpoint = rows.get(endpoint);
    const expected = ofEndpoint?.get(signedIn) ?? ofEndpoint?.get(asUsual);
    expect(seen, `${endpoint}, signed in`).toEqual(expected);
    expect(await seenByVerb(app.contextFor(anyone), read, made)).toBe('404');
  }
}

// ACCT-4, AUTH-4, AUTH-7, AUTH-8, AUTH-9, AUTH-10, AUTH-12, AUTH-13, AUTH-17, KEY-7, KEYED-1, KEYED-2, KEYED-6, STATE-1
describe('the table of access', () => {
  it('covers every keyed endpoint in every state', () => {
    const endpoints = keyedRoutes.map(({ method, path }) => `${method} ${path}`);
    expect([...rows.keys()].sort()).toEqual(endpoints.sort());
    for (const [endpoint, ofEndpoint] of rows) {
      const named = [...ofEndpoint.keys()].filter((state) => state !== signedIn);
      expect(named.sort(), endpoint).toEqual(Object.keys(states).sort());
    }
  });

  it.each(Object.keys(states))('%s', async (name) => {
    const state = states[name]?.() ?? {};
    const made = await make(state);
    const keys = new Map<string, { readonly id: string; readonly secret: string }>();
    for (const caller of callers) {
      const { key, secret } = await makeKey(
        app.ctx,
        getUser(caller),
        keyFor(state.key, made.podcast),
      );
      keys.set(caller, { id: key.id, secret });
    }
    await state.after?.(app.ctx, made);
    for (const [endpoint, ofEndpoint] of rows) {
      const seen: string[] = [];
      const byVerb: string[] = [];
      for (const { secret } of keys.values()) {
        seen.push(await seenBy(secret, endpoint, made));
        const ctx = await actWithKey(app.ctx, secret);
        byVerb.push(await seenByVerb(ctx, readsWithKey[endpoint], made));
      }
      expect(seen, endpoint).toEqual(ofEndpoint.get(name));
      expect(byVerb, `${endpoint}, the verb`).toEqual(ofEndpoint.get(name));
    }
    await expectSessionsToSee(name, made);
    // For the next state, restores the owner's plan and removes keys.
    await setPlan(app.ctx, { email: made.owner.email, plan: 'enterprise', planState: 'active' });
    for (const { id } of keys.values()) await revokeKey(app.ctx, id).catch(() => undefined);
    app.clock.advance(60_000);
  });
});
