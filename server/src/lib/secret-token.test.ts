import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashSecretToken, newSecretToken, tryHashSecretToken } from './secret-token.ts';

it('a secret token is 32 random bytes, safe in a URL', () => {
  const tokens = Array.from({ length: 100 }, newSecretToken);
  expect(new Set(tokens).size).toBe(100);
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
});

it('a secret token is stored as its SHA-256', () => {
  const token = newSecretToken();
  expect(hashSecretToken(token)).toEqual(createHash('sha256').update(token).digest());
});

it.each(['', 'x', `${newSecretToken()}=`, `${newSecretToken()}\n`, 'é'.repeat(43)])(
  '%j is not a token',
  (text) => {
    expect(tryHashSecretToken(text)).toBeUndefined();
  },
);
