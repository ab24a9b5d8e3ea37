import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { addPerson, setCredits } from '../../../src/domain/publishing/people/index.ts';
import {
  addMember,
  type Podcast,
  removeMember,
} from '../../../src/domain/publishing/podcasts/index.ts';
import type { Route } from '../../../src/http/route.ts';
import { createRoutes } from '../../../src/http/routes.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { type Browser, openSignedIn } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../make.ts';
import { makeSite } from '../../make-site.ts';

/** Every address of the private API with an id, including new ones, for users who may not see what it names. */
const routes = createRoutes({}).filter(
  ({ path }) => path.startsWith('/app/api/') && /:\w+Id\b/.test(path),
);
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

type OfShow = 'podcastId' | 'episodeId' | 'personId' | 'imageId' | 'replacementId' | 'webhookId';
type OfTeam = 'deliveryId' | 'userId' | 'invitationId';
type OfOwner = 'importId' | 'codeId' | 'uploadId' | 'keyId' | 'siteId' | 'sessionId';
type Ids = Readonly<Record<OfShow | OfTeam | OfOwner, string>>;
type OwnIds = Pick<Ids, 'podcastId' | 'episodeId'>;

let app: TestApp;
let owner: User;
let asOwner: Browser;
let show: Podcast;
/** What the owner of the show has, by the names of parameters. */
let ids: Ids;
const intruders: Record<string, { readonly browser: Browser; readonly own: OwnIds }> = {};

const query = async (statement: string, values: readonly unknown[]) =>
  (await app.database.pool.query(statement, [...values])).rows;

/** An id that the owner gets with a request. */
async function idFrom(path: string, body: object, headers = {}): Promise<string> {
  const made = await asOwner.send('POST', path, body, headers);
  expect(made.statusCode, made.body).toBe(201);
  const { location = '' } = made.headers;
  const { data } = location === '' ? made.json() : {};
  return String(location).split('/').at(-1) || (data.id ?? data.webhook?.id ?? data.key?.id);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

async function makeEverything(): Promise<Ids> {
  const { ctx } = app;
  const podcastId = show.id;
  const { id: episodeId } = await makeEpisode(ctx, show, { status: 'draft' });
  const bo = await makeUser(ctx);
  await addMember(ctx, { podcastId, userId: bo.id, role: 'editor' });
  const { id: personId } = await addPerson(ctx, { podcastId, name: 'Bo', userId: bo.id });
  await setCredits(ctx, episodeId, [{ personId }]);
  const url = `/app/api/podcasts/${podcastId}`;
  const [imageId, replacementId, codeId] = [newId(), newId(), newId()];
  await query(
    `insert into images (id, podcast_id, content_type, sha256, width, height, size_bytes, created_at)
     values ($1, $2, 'image/png', $3, 1400, 1400, 9, now())`,
    [imageId, podcastId, 'a'.repeat(64)],
  );
  await query(
    `insert into audio_replacements (episode_id, id, replaces_sha256, blob_key, content_type, extension,
       size_bytes, duration_ms, sha256, bitrate_bps, leading_tag_bytes, state, due_at, created_at, expires_at)
     values ($1, $2, $3, $4, 'audio/mpeg', 'mp3', 9, 9, $3, 9, 0, 'waiting', now(), now(), '2100-01-01')`,
    [episodeId, replacementId, 'a'.repeat(64), `audio/${newId()}.mp3`],
  );
  await query(
    `insert into feed_proofs (id, user_id, feed_tag, code_hash, expires_at, created_at)
     values ($1, $2, $3, $3, '2100-01-01', now())`,
    [codeId, owner.id, Buffer.alloc(32)],
  );
  const webhook = { url: 'https://example.com/hook', types: ['show.updated'] };
  const webhookId = await idFrom(`${url}/webhooks`, webhook);
  const metadata = { purpose: 'image', podcast_id: podcastId, filename: 'a.png' };
  const key = { name: 'A key', scopes: ['podcasts:read'], podcasts: 'all', expires_in_days: 90 };
  const sessions = (await asOwner.get('/app/api/sessions')).json().data;
  return {
    ...{ podcastId, episodeId, personId, imageId, replacementId, codeId, webhookId },
    userId: bo.id,
    deliveryId: await idFrom(`${url}/webhooks/${webhookId}/test`, {}),
    invitationId: await idFrom(`${url}/invitations`, { email: 'bea@example.com', role: 'editor' }),
    importId: await idFrom('/app/api/imports', { url: 'https://example.com/feed', dry_run: true }),
    uploadId: await idFrom('/app/api/uploads', undefined as never, {
      'tus-resumable': '1.0.0',
      'upload-length': '9',
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${base64(value)}`)
        .join(),
    }),
    keyId: await idFrom('/app/api/keys', { ...key, current_password: testPassword }),
    siteId: (await makeSite(ctx, owner, [show])).siteId,
    sessionId: sessions[0].id,
  };
}

async function makeIntruder(user: User): Promise<void> {
  const own = await makePodcast(app.ctx, { owner: user });
  const { id: episodeId } = await makeEpisode(app.ctx, own);
  intruders[user.name] = {
    browser: await openSignedIn(app, user),
    own: { podcastId: own.id, episodeId },
  };
}

beforeAll(async () => {
  app = await createTestApp();
  owner = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner });
  asOwner = await openSignedIn(app, owner);
  ids = await makeEverything();
  const [stranger, former] = [await makeUser(app.ctx), await makeUser(app.ctx)];
  await addMember(app.ctx, { podcastId: show.id, userId: former.id, role: 'admin' });
  await makeIntruder(stranger);
  await makeIntruder(former);
  await removeMember(app.ctx, { podcastId: show.id, userId: former.id });
});
afterAll(() => app[Symbol.asyncDispose]());

/** Bodies that the owner could send. An empty one suits all other routes. */
const bodies = (): Readonly<Record<string, object>> => ({
  'PATCH /app/api/podcasts/:podcastId': { title: 'Taken' },
  'DELETE /app/api/podcasts/:podcastId': { slug: show.slug, current_password: testPassword },
  'POST /app/api/podcasts/:podcastId/move': { new_feed_url: 'https://feeds.example.com/a.xml' },
  'PUT /app/api/podcasts/:podcastId/people': { people: [] },
  'PUT /app/api/podcasts/:podcastId/directories': { directories: [] },
  'PUT /app/api/podcasts/:podcastId/domain': { host: 'pod.example.com' },
  'POST /app/api/podcasts/:podcastId/webhooks': {
    url: 'https://evil.example/',
    types: ['show.updated'],
  },
  'PATCH /app/api/podcasts/:podcastId/webhooks/:webhookId': { is_on: false },
  'POST /app/api/podcasts/:podcastId/episodes': { title: 'Taken' },
  'POST /app/api/podcasts/:podcastId/episodes/bulk': { action: 'archive', ids: [ids.episodeId] },
  'POST /app/api/podcasts/:podcastId/episodes/restore-status': {
    episodes: [
      {
        ...{ id: ids.episodeId, revision: 1, status: 'published' },
        ...{ published_at: '2026-01-01T00:00:00.000Z', scheduled_for: null },
      },
    ],
  },
  'PUT /app/api/podcasts/:podcastId/members/:userId': { role: 'analyst' },
  'POST /app/api/podcasts/:podcastId/members/:userId/credits': { episode_ids: [ids.episodeId] },
  'POST /app/api/podcasts/:podcastId/invitations': { email: 'mallory@example.com', role: 'editor' },
  'PUT /app/api/podcasts/:podcastId/team-keys': { allowed: true },
  'POST /app/api/podcasts/:podcastId/ownership-offer': {
    ...{ email: 'mallory@example.com', current_password: testPassword },
  },
  'PATCH /app/api/episodes/:episodeId': { title: 'Taken' },
  'POST /app/api/episodes/:episodeId/schedule': { scheduled_for: '2099-01-01T00:00:00.000Z' },
  'POST /app/api/episodes/:episodeId/restore-status': {
    ...{ status: 'archived', published_at: null, scheduled_for: null },
  },
  'PUT /app/api/episodes/:episodeId/people': { people: [] },
  'PUT /app/api/episodes/:episodeId/chapters': { chapters: [] },
  'PATCH /app/api/episodes/:episodeId/transcript': { changes: [{ index: 0, text: 'Taken' }] },
  'POST /app/api/episodes/:episodeId/audio/replacement/:replacementId/accept': {
    ...{ move_chapters: false, move_transcript: false },
  },
  'POST /app/api/keys/:keyId/roll': {
    ...{ grace: 'none', expires_in_days: 90, current_password: testPassword },
  },
  'POST /app/api/keys/:keyId/widen': { podcasts: 'all', current_password: testPassword },
  'PUT /app/api/sites/:siteId/shows': { podcasts: [] },
  'POST /app/api/feed-codes/:codeId/confirm': { code: '12345678' },
});

function bodyOf(route: Route): object | undefined {
  const body = bodies()[nameOf(route)];
  if (body !== undefined || typeof route.body !== 'object') return body;
  const required: readonly string[] = route.body.json.required ?? [];
  return required.includes('upload_id') ? { upload_id: ids.uploadId } : {};
}

function ask(browser: Browser, route: Route, of: Readonly<Record<string, string>>) {
  const path = route.path.replace(':source', 'spotify').replace(/:(\w+)/g, (_, name: string) => {
    const id = of[name];
    if (id === undefined) throw new Error(`this test has no ${name}`);
    return id;
  });
  if (route.method === 'GET') return browser.get(path);
  if (route.body === 'long form') return browser.submit(path);
  const tus = { 'tus-resumable': '1.0.0', 'upload-offset': '0' };
  const type = route.body === 'stream' ? { 'content-type': 'application/offset+octet-stream' } : {};
  const headers = { 'if-match': '*', ...tus, ...type };
  return browser.send(route.method, path, bodyOf(route), headers);
}

/** What the owner and the database say of everything that an intruder could have read or changed. */
async function readAll(): Promise<unknown> {
  const tables = ['podcasts', 'episodes', 'people', 'podcast_members', 'invitations', 'webhooks'];
  const others = ['ownership_offers', 'webhook_deliveries', 'uploads', 'imports', 'feed_proofs'];
  const rows = [...tables, ...others, 'api_keys', 'sites', 'audio_replacements', 'images'].map(
    async (table) => [
      table,
      await query(`select to_jsonb(t) as row from ${table} t order by 1`, []),
    ],
  );
  return [await Promise.all(rows), (await asOwner.get('/app/api/sessions')).json()];
}

const who = ['the owner of another show', 'a former admin'];

describe.each(who.map((name, at) => ({ name, at })))('$name', ({ at }) => {
  const intruder = () => Object.values(intruders)[at]!;

  it.each(routes.map((route) => [nameOf(route), route] as const))(
    'finds nothing and changes nothing: %s',
    async (_name, route) => {
      const before = await readAll();
      const response = await ask(intruder().browser, route, ids);
      expect([response.statusCode, response.body]).toEqual([
        404,
        expect.stringContaining('"not_found"'),
      ]);
      for (const secret of [show.title, show.slug, owner.email, owner.name])
        expect(response.body).not.toContain(secret);
      expect(await readAll()).toEqual(before);
    },
  );

  const nested = routes.filter(({ path }) => path.match(/:\w+Id\b/g)!.length > 1);
  it.each(nested.map((route) => [nameOf(route), route] as const))(
    'finds nothing of another show under an own one, and changes nothing: %s',
    async (_name, route) => {
      const before = await readAll();
      const { browser, own } = intruder();
      const response = await ask(browser, route, { ...ids, ...own });
      expect([response.statusCode, response.body]).toEqual([
        route.path.endsWith('/photo') ? expect.toBeOneOf([400, 404]) : 404,
        expect.stringMatching(/"not_found"|"invalid_request"/),
      ]);
      expect(await readAll()).toEqual(before);
    },
  );

  it('names nothing of another show in the body of a request about an own one', async () => {
    const before = await readAll();
    const { browser, own } = intruder();
    const [url, episode] = [
      `/app/api/podcasts/${own.podcastId}`,
      `/app/api/episodes/${own.episodeId}`,
    ];
    const upload = { upload_id: ids.uploadId };
    const person = { id: ids.personId, name: 'Mallory' };
    const photo = { name: 'Mallory', photo_id: ids.imageId };
    const key = { name: 'A key', scopes: ['podcasts:read'], expires_in_days: 90 };
    const password = { current_password: testPassword };
    const attempts: readonly (readonly [Parameters<Browser['send']>[0], string, object])[] = [
      ['PUT', `${url}/people`, { people: [person] }],
      ['PUT', `${url}/people`, { people: [photo] }],
      ['PUT', `${url}/people`, { people: [{ name: 'Mallory', user_id: ids.userId }] }],
      ['PUT', `${url}/artwork`, upload],
      ['PUT', `${url}/header-image`, upload],
      ['PUT', `${episode}/artwork`, upload],
      ['PUT', `${episode}/audio`, upload],
      ['PUT', `${episode}/people`, { people: [{ person_id: ids.personId }] }],
      ['POST', '/app/api/keys', { ...key, podcasts: [ids.podcastId], ...password }],
      ['POST', '/app/api/site-keys', { podcasts: [ids.podcastId], ...password }],
    ];
    for (const [method, path, body] of attempts) {
      const response = await browser.send(method, path, body, { 'if-match': '*' });
      expect([400, 404], `${path}: ${response.body}`).toContain(response.statusCode);
    }
    const ofOthers = { action: 'archive', ids: [ids.episodeId] };
    const bulk = await browser.send('POST', `${url}/episodes/bulk`, ofOthers);
    expect(bulk.body).toContain('not_found');
    expect(await readAll()).toEqual(before);
  });
});
