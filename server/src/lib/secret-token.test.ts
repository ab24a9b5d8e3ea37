import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashSecretToken, newSecretToken, tryHashSecretToken } from './secret-token.ts';

it('is 32 random bytes, fit for an address', () => {
  const tokens = Array.from({ length: 100 }, newSecretToken);
  expect(new Set(tokens).size).toBe(100);
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
});

it('is kept as its SHA-256', () => {
  const token = newSecretToken();
  expect(hashSecretToken(token)).toEqual(createHash('sha256').update(token).digest());
});

it.each(['', 'x', `${newSecretToken()}=`, `${newSecretToken()}\n`, 'é'.repeat(43)])(
  '%j is none',
  (text) => {
    expect(tryHashSecretToken(text)).toBeUndefined();
  },
);
