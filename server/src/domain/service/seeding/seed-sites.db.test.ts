import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeVerifier, connectParameters } from '../../../../test/connect-request.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { loadSeed } from '../../../../test/load-seed.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import { findKeyPrincipal } from '../../access/keys/index.ts';
import { exchangeCode } from '../../exchange/sites/index.ts';
import { findUserByEmail } from '../../foundation/accounts/index.ts';
import { anyone } from '../../foundation/principal.ts';

let test: TestContext;
let folder: string;
beforeAll(async () => {
  test = await createTestContext();
  folder = await mkdtemp(join(tmpdir(), 'podstead-seed-'));
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const load = (seedFile: unknown) => loadSeed(test, folder, seedFile);

const { site_url, rest_root, code_challenge } = Object.fromEntries(connectParameters());
const code = {
  ref: 's',
  user: 'ana',
  flow: 'code',
  podcasts: ['show'],
  site_url,
  rest_root,
  code_challenge,
};
const key = { ref: 's2', user: 'ana', flow: 'key', podcasts: ['show'] };

let seedFiles = 0;
function seedWith(sites: unknown) {
  seedFiles += 1;
  return {
    users: [{ ref: 'ana', email: `ana-${seedFiles}@example.com`, password: 'correct horse' }],
    podcasts: [{ ref: 'show', owner: 'ana', slug: `show-${seedFiles}`, title: 'A show' }],
    sites,
  };
}

describe('sites of a seed file', () => {
  // SEED-10
  it('sites of a seed file are approved connections, whose code a site exchanges', async () => {
    const made = await load(seedWith([{ ...code, transcripts: true }]));
    const site = made.sites['s'];
    expect(Object.keys(site ?? {})).toEqual(['code']);
    const approved = { code: site && 'code' in site ? site.code : '', codeVerifier };
    const exchanged = await exchangeCode({ ...test.ctx, principal: anyone }, approved);
    expect(exchanged.podcastIds).toEqual([made.podcasts['show']?.id]);
    expect(exchanged.scopes).toContain('transcripts:read');
  });

  // SEED-10
  it('sites of a seed file are keys that no site has registered', async () => {
    const { sites, users } = await load(seedWith([key]));
    const site = sites['s2'];
    if (site === undefined || !('secret' in site)) throw new Error('there is no secret');
    expect(await findKeyPrincipal(test.ctx, site.secret)).toMatchObject({
      kind: 'site',
      site: undefined,
      userId: users['ana']?.id,
      key: { id: site.keyId, scopes: ['podcasts:read', 'episodes:read', 'sites:write'] },
    });
  });

  it.each([
    ['an unknown property', [{ ...code, admin: 'x' }], 'sites[0].admin'],
    ['an unknown flow', [{ ...code, flow: 'token' }], 'sites[0].flow'],
    ['no user', [{ ...key, user: undefined }], 'sites[0].user'],
    ['an unknown user', [{ ...key, user: 'bo' }], 'sites[0].user'],
    ['no podcasts', [{ ...key, podcasts: undefined }], 'sites[0].podcasts'],
    ['an empty list of podcasts', [{ ...key, podcasts: [] }], 'sites[0].podcasts'],
    ['all podcasts', [{ ...key, podcasts: 'all' }], 'sites[0].podcasts'],
    ['an unknown podcast', [{ ...key, podcasts: ['show', 'other'] }], 'sites[0].podcasts[1]'],
    ['a ref twice', [code, key, { ...key, ref: 's' }], 'sites[2].ref'],
    ['a code without an address', [{ ...code, site_url: undefined }], 'sites[0].site_url'],
    [
      'a code without a challenge',
      [{ ...code, code_challenge: undefined }],
      'sites[0].code_challenge',
    ],
    [
      'a challenge that is none',
      [key, { ...code, code_challenge: 'x' }],
      'sites[1].code_challenge',
    ],
    [
      'an address without TLS',
      [{ ...code, site_url: 'http://blog.example.com/' }],
      'sites[0].site_url',
    ],
    [
      'a wrong REST address',
      [{ ...code, rest_root: 'https://evil.example/wp-json/' }],
      'sites[0].rest_root',
    ],
    ['an address of a key', [{ ...key, site_url }], 'sites[0].site_url'],
  ])('sites of a seed file are refused with their path: %s', async (_name, sites, field) => {
    const seedFile = seedWith(sites);
    const { details } = await refusalOf(load(seedFile));
    expect(details).toMatchObject([{ field }]);
    expect(await findUserByEmail(test.ctx, `ana-${seedFiles}@example.com`)).toBeUndefined();
  });

  // SEED-3, SITE-3
  it.each<[string, { podcast?: object; user?: object }]>([
    ['is hosted elsewhere', { podcast: { hosting_type: 'external' } }],
    ['does not include the API', { user: { plan: 'free' } }],
    ['has a lapsed plan', { user: { plan_state: 'lapsed' } }],
  ])(
    'sites of a seed file are refused where a show %s, and leave nothing behind',
    async (_name, changes) => {
      for (const site of [code, key]) {
        const { users, podcasts, sites } = seedWith([site]);
        const user = { ...users[0], ...changes.user };
        const podcast = { ...podcasts[0], ...changes.podcast };
        const attempt = load({ users: [user], podcasts: [podcast], sites });
        expect((await refusalOf(attempt)).details).toMatchObject([{ field: 'sites[0].podcasts' }]);
        expect(await findUserByEmail(test.ctx, users[0]?.email ?? '')).toBeUndefined();
      }
    },
  );
});
