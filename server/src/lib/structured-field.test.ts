import { expect, it } from 'vitest';
import { formatFieldList } from './structured-field.ts';

it('writes tokens with their parameters', () => {
  const account = { token: 'account', parameters: { q: 600, w: 60 } };
  const plan = { token: 'plan', parameters: { r: 0, t: 42 } };
  expect(formatFieldList([account, plan])).toBe('account;q=600;w=60, plan;r=0;t=42');
  expect(formatFieldList([account])).toBe('account;q=600;w=60');
  expect(formatFieldList([{ token: 'plan', parameters: {} }])).toBe('plan');
});
