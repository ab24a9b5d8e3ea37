import { afterAll, beforeAll, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { createTestContext, type TestContext } from '../../create-test-context.ts';
import { redisAvailable, testRedisUrl } from '../../hosts/redis.ts';
import { makeKey, makePodcast, makeUser, testPassword } from '../../make.ts';
import { type Serving, startServing } from '../../start-serving.ts';

// Only a database server allows a second process, and only Redis shares their counts.
const isPossible = process.env['TEST_DATABASE'] === 'postgres' && (await redisAvailable());

let opened: AsyncDisposableStack;
let test: TestContext;
let one: Serving;
let other: Serving;

beforeAll(async () => {
  if (!isPossible) return;
  opened = new AsyncDisposableStack();
  test = opened.use(await createTestContext());
  test.clock.set(new Date());
  const settings = {
    DATA_DIR: test.config.dataDir,
    DATABASE_URL: test.databaseUrl ?? '',
    REDIS_URL: testRedisUrl,
    SECRET: 'x'.repeat(40),
  };
  const serve = async () => opened.use(await startServing(settings));
  [one, other] = await Promise.all([serve(), serve()]);
});
afterAll(() => opened?.disposeAsync());

const ask = ({ url }: Serving, secret: string, path = '/v1/me') =>
  fetch(url + path, { headers: { authorization: `Bearer ${secret}` } });

/** Signs in at one process. Returns the session's cookie. */
async function signIn({ url }: Serving, { email }: User): Promise<string> {
  const response = await fetch(`${url}/app/api/sign-in`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: testPassword }),
  });
  expect(response.status).toBe(204);
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

it.runIf(isPossible)(
  'a key revoked on one process is refused by the other with the next request',
  async () => {
    const user = await makeUser(test.ctx);
    const { key, secret } = await makeKey(test.ctx, user);
    for (const serving of [one, other, one, other]) {
      expect((await ask(serving, secret)).status).toBe(200);
    }
    const cookie = await signIn(one, user);
    const revoked = await fetch(`${one.url}/app/api/keys/${key.id}`, {
      method: 'DELETE',
      headers: { origin: one.url, cookie },
    });
    expect(revoked.status).toBeLessThan(300);
    const refused = await ask(other, secret);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
  },
);

it.runIf(isPossible)('requests to both processes count in one quota', async () => {
  const owner = await makeUser(test.ctx, 'creator');
  const podcast = await makePodcast(test.ctx, { owner });
  const { secret } = await makeKey(test.ctx, owner);
  const path = `/v1/me/podcasts/${podcast.id}`;
  const left: string[] = [];
  for (const serving of [one, other, one]) {
    left.push((await ask(serving, secret, path)).headers.get('ratelimit') ?? '');
  }
  expect(left.map((text) => text.replace(/;t=\d+/g, ''))).toEqual([
    'account;r=599, plan;r=59',
    'account;r=598, plan;r=58',
    'account;r=597, plan;r=57',
  ]);
  const asked = Array.from({ length: 80 }, (_, at) => ask(at % 2 ? one : other, secret, path));
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(57);
  expect(statuses.filter((status) => status === 429)).toHaveLength(23);
});
