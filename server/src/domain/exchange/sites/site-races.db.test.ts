import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actWithKey } from '../../../../test/act-with-key.ts';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../test/make.ts';
import {
  challengeOf,
  makeSite,
  makeUnregisteredKey,
  newSiteUrl,
} from '../../../../test/make-site.ts';
import { openPlugins, type Plugins, respondWithChallenge } from '../../../../test/open-plugins.ts';
import { newSecretToken } from '../../../lib/secret-token.ts';
import { cutOffPodcastKeys, findKeyPrincipal } from '../../access/keys/index.ts';
import { setUserPassword } from '../../access/sessions/index.ts';
import { DomainError } from '../../foundation/errors.ts';
import { anyone } from '../../foundation/principal.ts';
import {
  approveConnection,
  disconnectSite,
  endConnection,
  exchangeCode,
  getSite,
  registerSite,
  verifySite,
} from './index.ts';

const codeChallenge = challengeOf(newSecretToken());
let test: TestContext;
let plugins: Plugins;
beforeAll(async () => {
  plugins = await openPlugins();
  plugins.respond = respondWithChallenge(codeChallenge);
  test = await createTestContext({}, { outbound: plugins.outbound });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await plugins[Symbol.asyncDispose]();
});

const rounds = 8;
const versions = { plugin: '1', wordpress: '6', php: '8' };
/** The result of an attempt, or the kind of its refusal. Other errors fail the test. */
const outcome = <T>(attempt: Promise<T>): Promise<T | string> =>
  attempt.catch((error: unknown) => {
    if (error instanceof DomainError) return error.kind;
    throw error;
  });
async function makeOwner() {
  const user = await makeUser(test.ctx);
  return { user, show: await makePodcast(test.ctx, { owner: user }) };
}
async function approve({ user, show }: Awaited<ReturnType<typeof makeOwner>>, siteUrl: string) {
  const codeVerifier = newSecretToken();
  const { code } = await approveConnection(test.ctx, {
    ...{ userId: user.id, siteUrl, restRoot: `${siteUrl}wp-json/`, podcastIds: [show.id] },
    ...{ transcripts: false, codeChallenge: challengeOf(codeVerifier) },
  });
  return { code, codeVerifier };
}
const asAnyone = () => test.contextFor(anyone);
const isLive = async (secret: string) => (await findKeyPrincipal(test.ctx, secret)) !== undefined;

describe('simultaneous actions on a site', () => {
  it('an exchange and a new password leave no key', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const owner = await makeOwner();
      const code = await approve(owner, newSiteUrl());
      const change = { userId: owner.user.id, password: 'another horse' };
      const [exchanged] = await Promise.all([
        outcome(exchangeCode(asAnyone(), code)),
        setUserPassword(test.ctx, change),
      ]);
      if (typeof exchanged === 'string') expect(exchanged).toBe('invalid');
      else expect(await isLive(exchanged.apiKey)).toBe(false);
    }
  });

  it('two exchanges for one address leave one key, that of the site', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const owner = await makeOwner();
      const siteUrl = newSiteUrl();
      const codes = await Promise.all([approve(owner, siteUrl), approve(owner, siteUrl)]);
      const done = await Promise.all(codes.map((code) => exchangeCode(asAnyone(), code)));
      expect(new Set(done.map(({ siteId }) => siteId)).size).toBe(1);
      const live = await Promise.all(done.map(({ apiKey }) => isLive(apiKey)));
      expect(live.sort()).toEqual([false, true]);
    }
  });

  it('an exchange, a registration and a cut-off do not block each other', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const owner = await makeOwner();
      const old = await makeSite(test.ctx, owner.user, [owner.show]);
      const { secret } = await makeUnregisteredKey(test.ctx, owner.user, [owner.show]);
      const acting = await actWithKey(test.ctx, secret);
      const { siteUrl } = old;
      const restRoot = `${siteUrl}wp-json/`;
      const state = 's'.repeat(32);
      const code = await approve(owner, siteUrl);
      const asOwner = test.contextFor({ kind: 'user', userId: owner.user.id });
      await Promise.all([
        outcome(exchangeCode(asAnyone(), code)),
        outcome(registerSite(acting, { siteUrl, restRoot, state, codeChallenge })),
        cutOffPodcastKeys(asOwner, owner.show.id),
        outcome(endConnection(test.ctx, old.siteId)),
      ]);
      expect(await isLive(old.secret)).toBe(false);
    }
  });

  it('two disconnections have one time, and late calls change no new connection', async () => {
    const { user, show } = await makeOwner();
    const old = await makeSite(test.ctx, user, [show], { active: false });
    const both = await Promise.all([
      disconnectSite(old.ctx, old.siteId),
      disconnectSite(old.ctx, old.siteId),
    ]);
    expect(both[0]).toEqual(both[1]);
    const { siteUrl } = old;
    await makeSite(test.ctx, user, [show], { siteUrl, active: false });
    // These calls still use the old key and must not change the new connection.
    expect(await outcome(disconnectSite(old.ctx, old.siteId))).toBe('not_found');
    expect(await outcome(verifySite(old.ctx, { siteId: old.siteId, versions }))).toBe('not_found');
    expect(await getSite(test.ctx, old.siteId)).toMatchObject({
      ...{ status: 'pending', revokedAt: null },
    });
  });

  it('a registration and a new password leave no key', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { user, show } = await makeOwner();
      const { secret } = await makeUnregisteredKey(test.ctx, user, [show]);
      const acting = await actWithKey(test.ctx, secret);
      const siteUrl = newSiteUrl();
      const site = { siteUrl, restRoot: `${siteUrl}wp-json/`, state: 's'.repeat(32) };
      const [registered] = await Promise.all([
        outcome(registerSite(acting, { ...site, codeChallenge })),
        setUserPassword(test.ctx, { userId: user.id, password: 'another horse' }),
      ]);
      if (typeof registered === 'string') expect(registered).toBe('forbidden');
      else expect((await getSite(test.ctx, registered.siteId)).status).toBe('disconnected');
      expect(await isLive(secret)).toBe(false);
    }
  });
});
