import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAbandonedImports, resumeImport } from '../../../src/domain/exchange/imports/index.ts';
import { addPerson, setCredits } from '../../../src/domain/publishing/people/index.ts';
import {
  addMember,
  type GivenRole,
  type Podcast,
} from '../../../src/domain/publishing/podcasts/index.ts';
import { type Browser, openSignedIn } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { openPodcastHost, type PodcastHost, writeTestFeed } from '../../hosts/podcast-host.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../make.ts';

let app: TestApp;
let host: PodcastHost;
let show: Podcast;
let url: string;

beforeAll(async () => {
  app = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8', DEFAULT_PLAN: 'creator' });
  host = await openPodcastHost();
  const item = { guid: '1', title: 'One', audio: 'https://cdn.example/1.mp3' };
  host.serve('/feed.xml', writeTestFeed({ items: [item] }));
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

const custom = (...capabilities: NonNullable<GivenRole['capabilities']>): GivenRole => ({
  role: 'custom',
  roleName: 'Helper',
  capabilities,
});
const roles: Readonly<Record<string, GivenRole>> = {
  owner: { role: 'owner' },
  admin: { role: 'admin' },
  editor: { role: 'editor' },
  analyst: { role: 'analyst' },
  cohost: { role: 'cohost' },
  'a custom role without capabilities': custom(),
  'a custom role that creates and credits, but sees only own episodes': custom(
    'episodes.create',
    'episodes.people',
    'episodes.delete',
    'show.settings',
  ),
  'a custom role with imports': custom('show.import', 'episodes.view_all', 'show.settings'),
  'a custom role with a team': custom('team.manage', 'analytics.view'),
};

interface Member {
  readonly browser: Browser;
  /** Credits them, so that they see it, whatever their role. */
  readonly episodeId: string;
}

async function join(role: GivenRole): Promise<Member> {
  const user = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, role.role === 'owner' ? { owner: user } : {});
  url = `/app/api/podcasts/${show.id}`;
  const podcastId = show.id;
  if (role.role !== 'owner') await addMember(app.ctx, { podcastId, userId: user.id, ...role });
  const { id: personId } = await addPerson(app.ctx, { podcastId, name: 'Bo', userId: user.id });
  const { id: episodeId } = await makeEpisode(app.ctx, show);
  await setCredits(app.ctx, episodeId, [{ personId }]);
  return { browser: await openSignedIn(app, user), episodeId };
}

/** Whether an import of a feed into the show was done. */
async function importFeed({ browser }: Member): Promise<boolean> {
  const body = { url: `${host.url}/feed.xml`, into: show.slug, copy_audio: false, dry_run: true };
  const { id } = (await browser.send('POST', '/app/api/imports', body)).json().data;
  for (const abandoned of await listAbandonedImports(app.ctx)) {
    await resumeImport(app.ctx, abandoned).catch(() => undefined);
  }
  return (await browser.get(`/app/api/imports/${id}`)).json().data.state === 'finished';
}

type Attempt = (member: Member) => Promise<boolean>;

/** Whether a request was not refused as forbidden. Some lack what a request needs in addition. */
const send =
  (method: Parameters<Browser['send']>[0], path: string, body: object = {}): Attempt =>
  async ({ browser, episodeId }) => {
    const target = path.startsWith('/episodes/me')
      ? `/app/api/episodes/${episodeId}`
      : `${url}${path}`;
    const response = await browser.send(method, target, body, { 'if-match': '*' });
    expect([200, 201, 204, 400, 403], `${method} ${path}: ${response.body}`).toContain(
      response.statusCode,
    );
    return response.statusCode !== 403;
  };
const get =
  (path: string): Attempt =>
  async ({ browser }) => {
    const { statusCode } = await browser.get(`${url}${path}`);
    expect([200, 403], path).toContain(statusCode);
    return statusCode === 200;
  };

/** In an order in which none takes away what a later one needs. */
const attempts: Readonly<Record<string, Attempt>> = {
  edit: send('PATCH', '', { title: 'Another title' }),
  check: get('/health'),
  first_steps: get('/first-steps'),
  people: async (member) => {
    const { people } = (await member.browser.get(`${url}/people`)).json().data;
    const same = people.map(({ photo: _, ...person }: { photo: unknown }) => person);
    return send('PUT', '/people', { people: same })(member);
  },
  credit_members: async (member) => {
    const me = (await member.browser.get('/app/api/me')).json().data.user.id;
    return get(`/members/${me}/credits`)(member);
  },
  export: get('/export'),
  set_domain: get('/domain'),
  webhooks: get('/webhooks'),
  import: importFeed,
  create_episodes: send('POST', '/episodes', { title: 'Another' }),
  analytics: get('/analytics/downloads'),
  team: get('/members'),
  set_team_keys: send('PUT', '/team-keys', { allowed: true }),
  cut_off_keys: send('POST', '/keys/cut-off'),
  offer_ownership: send('POST', '/ownership-offer', {
    email: 'new-owner@example.com',
    current_password: testPassword,
  }),
  delete_episodes: send('DELETE', '/episodes/me'),
  pause: send('POST', '/pause'),
  move: send('POST', '/move', { new_feed_url: 'https://feeds.example.com/night.xml' }),
  delete: send('DELETE', '', { slug: 'another', current_password: testPassword }),
  leave: send('POST', '/leave'),
};

describe('the rights that a member has on a show', () => {
  it.each(Object.entries(roles))('what is reported is what is accepted: %s', async (_, role) => {
    const member = await join(role);
    const { browser } = member;
    const [listed] = (await browser.get(`/app/api/podcasts?podcast=${show.id}`)).json().data;
    const [home] = (await browser.get('/app/api/home')).json().data;
    const settings = (await browser.get(url)).json().data;
    expect(home.may).toEqual(listed.may);
    expect(settings.may).toEqual(listed.may);
    expect([listed.is_own, home.is_own]).toEqual([role.role === 'owner', role.role === 'owner']);
    const accepted: Record<string, boolean> = {};
    for (const [right, attempt] of Object.entries(attempts))
      accepted[right] = await attempt(member);
    expect(accepted).toEqual(listed.may);
  });

  it.each(['creator', 'studio'])('figures are imported as reported: plan %s', async (plan) => {
    for (const role of Object.values(roles)) {
      const member = await join(role);
      const sql = `update accounts set plan = $2
        where id = (select account_id from podcasts where id = $1)`;
      await app.database.pool.query(sql, [show.id, plan]);
      const read = await member.browser.get(`${url}/platforms/spotify`);
      const reported = read.statusCode === 200 && read.json().data.may_import;
      const accepted = await send('POST', '/platforms/spotify/check')(member);
      // A role without statistics does not open the screen.
      if (read.statusCode === 200) expect(accepted, JSON.stringify(role)).toBe(reported);
    }
  });

  it('a user who owns no show can delete their account', async () => {
    for (const role of Object.values(roles)) {
      const { browser } = await join(role);
      const [listed] = (await browser.get(`/app/api/podcasts?podcast=${show.id}`)).json().data;
      const body = { current_password: testPassword };
      const { statusCode } = await browser.send('POST', '/app/api/account/deletion', body);
      expect(statusCode).toBe(listed.is_own ? 400 : 204);
    }
  });
});
