import { expect, it } from 'vitest';
import { formatFieldItem } from './structured-field.ts';

// LIM-7
it('writes a token with its parameters', () => {
  const account = { token: 'account', parameters: { q: 600, w: 60 } };
  expect(formatFieldItem(account)).toBe('account;q=600;w=60');
  expect(formatFieldItem({ token: 'plan', parameters: {} })).toBe('plan');
});
