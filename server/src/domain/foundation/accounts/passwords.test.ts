import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

it('verifies a password, whose hash takes 19 MiB and two passes', async () => {
  const hash = await hashPassword('correct horse', 'operator');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hash, 'correct horse', 'operator')).toBe(true);
  expect(await verifyPassword(hash, 'wrong horse', 'operator')).toBe(false);
});
