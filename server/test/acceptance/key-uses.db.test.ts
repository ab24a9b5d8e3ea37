import { expect, it } from 'vitest';
import { getKey } from '../../src/domain/access/keys/index.ts';
import { makeApiKey } from '../../src/lib/api-key.ts';
import { createTestApp } from '../create-test-app.ts';
import { makeKey, makeUser } from '../make.ts';

it('stores the last client address of a key, as trusted proxies report it', async () => {
  const located: string[] = [];
  const geo = {
    locate: async (ip: string) => {
      located.push(ip);
      return { country: 'DE', network: 'AS64500 Example' };
    },
  };
  await using app = await createTestApp({ TRUST_PROXY: '1' }, { geo });
  const { key, secret } = await makeKey(app.ctx, await makeUser(app.ctx), {
    scopes: ['podcasts:read'],
  });
  const ask = (url: string, bearer: string) =>
    app.request({
      url,
      headers: { authorization: `Bearer ${bearer}`, 'x-forwarded-for': '198.51.100.1, 192.0.2.7' },
    });
  expect((await ask('/v1/me', makeApiKey())).statusCode).toBe(401);
  expect((await ask('/v1/podcasts/none', secret)).statusCode).toBe(404);
  await app.keyUses.flush();
  expect((await getKey(app.ctx, key.id)).lastUse).toBeNull();

  expect((await ask('/v1/me', secret)).statusCode).toBe(200);
  // Refused by the scopes of the key, which still counts as a use.
  expect((await ask(`/v1/me/podcasts/${key.id}/episodes`, secret)).statusCode).toBe(403);
  await app.keyUses.flush();
  expect(located).toEqual(['192.0.2.7']);
  expect((await getKey(app.ctx, key.id)).lastUse).toEqual({
    at: app.clock.now(),
    country: 'DE',
    network: 'AS64500 Example',
  });
});
