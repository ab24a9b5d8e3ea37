import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/create-test-app.ts';
import { makePodcast, makeUser } from '../../test/make.ts';
import { makeSite } from '../../test/make-site.ts';
import { runCommand } from '../../test/run-command.ts';
import { findKeyPrincipal } from '../domain/access/keys/index.ts';
import { newId } from '../lib/uuid.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function makeOwner() {
  const user = await makeUser(app.ctx);
  return { user, show: await makePodcast(app.ctx, { owner: user }) };
}
const run = (...argv: string[]) => runCommand(app, argv);

// CLI-20
it('lists sites, of one user or all', async () => {
  const [ana, bo] = [await makeOwner(), await makeOwner()];
  const first = await makeSite(app.ctx, ana.user, [ana.show]);
  const second = await makeSite(app.ctx, bo.user, [bo.show]);
  const one = await run('site', 'list', '--user', ana.user.email);
  expect(one.json.sites).toMatchObject([
    {
      id: first.siteId,
      user: ana.user.email,
      site_url: first.siteUrl,
      status: 'active',
      shows: [{ id: ana.show.id, state: 'read' }],
    },
  ]);
  const ids = ({ json }: Awaited<ReturnType<typeof run>>) =>
    json.sites.map(({ id }: { id: string }) => id);
  expect(ids(await run('site', 'list'))).toEqual(
    expect.arrayContaining([first.siteId, second.siteId]),
  );
  const none = await makeUser(app.ctx);
  expect((await run('site', 'list', '--user', none.email)).json).toEqual({ sites: [] });
  expect(await run('site', 'list', '--user', 'nobody@example.com')).toMatchObject({ code: 1 });
});

// CLI-20
it('shows and disconnects a site', async () => {
  const { user, show } = await makeOwner();
  const site = await makeSite(app.ctx, user, [show]);
  const shown = await run('site', 'show', site.siteId.toUpperCase());
  const listed = await run('site', 'list', '--user', user.email);
  expect(shown.json).toEqual(listed.json.sites[0]);
  expect(JSON.stringify(shown.json)).not.toContain(site.pingSecret);
  const ended = await run('site', 'disconnect', site.siteId);
  expect(ended.json).toMatchObject({ id: site.siteId, status: 'disconnected' });
  expect(await findKeyPrincipal(app.ctx, site.secret)).toBeUndefined();
  expect(await run('site', 'disconnect', site.siteId)).toMatchObject({ code: 0 });
});

it.each(['show', 'disconnect'])('finds no site to %s that does not exist', async (command) => {
  for (const id of [newId(), 'x']) {
    expect(await run('site', command, id)).toMatchObject({
      code: 1,
      said: 'There is no such site.\n',
    });
  }
});

// CLI-20, SITE-2
it('creates a key that a site can register', async () => {
  const { user, show } = await makeOwner();
  const second = await makePodcast(app.ctx, { owner: user });
  const third = await makePodcast(app.ctx, { owner: user });
  const words = ['--podcast', show.slug, '--podcast', second.id, third.slug, '--transcripts'];
  const { json, code } = await run('site', 'key', 'create', user.email, ...words);
  expect(code).toBe(0);
  expect(Object.keys(json)).toEqual(['key_id', 'secret', 'expires_at']);
  expect(json.expires_at).toBe('2027-03-10T12:00:00.000Z');
  expect(await findKeyPrincipal(app.ctx, json.secret)).toMatchObject({
    kind: 'site',
    userId: user.id,
    key: {
      id: json.key_id,
      scopes: ['podcasts:read', 'episodes:read', 'transcripts:read', 'sites:write'],
    },
  });
  const { rows } = await app.database.pool.query(
    'select podcast_id as id from api_key_podcasts where key_id = $1 order by podcast_created_at, podcast_id',
    [json.key_id],
  );
  expect(rows.map(({ id }) => id).sort()).toEqual([show.id, second.id, third.id].sort());
});

// SITE-3
it('refuses a key for shows that the user cannot connect', async () => {
  const { user } = await makeOwner();
  const other = await makePodcast(app.ctx);
  const create = (...words: string[]) => run('site', 'key', 'create', user.email, ...words);
  const refused = await create('--podcast', other.slug);
  expect(refused).toMatchObject({ code: 1, json: undefined });
  expect(refused.said).toContain(other.id);
  expect(await create('--podcast', 'nowhere')).toMatchObject({ code: 1 });
  expect(await create()).toMatchObject({ code: 2, said: expect.stringContaining('--podcast') });
});

it('suggests the full command if its last word is missing', async () => {
  const wrong = await run('site', 'key');
  expect(wrong).toMatchObject({ code: 2, said: expect.stringContaining('site key create') });
});
