import { expect, it } from 'vitest';
import { KnownSecrets } from './known-secrets.ts';

it('a secret is known from when something is found until nothing is', async () => {
  const secrets = new KnownSecrets();
  const seen: boolean[] = [];
  const find = (secret: string, found?: object) =>
    secrets.find(secret, async (isKnown) => {
      seen.push(isKnown);
      return found;
    });
  const session = {};
  expect(await find('a')).toBeUndefined();
  expect(await find('a', session)).toBe(session);
  await find('b', session);
  await find('a', session);
  expect(await find('a')).toBeUndefined();
  await find('a');
  await find('b');
  expect(seen).toEqual([false, false, false, true, true, false, true]);
});
