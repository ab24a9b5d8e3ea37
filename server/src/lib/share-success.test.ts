import { expect, it } from 'vitest';
import { shareSuccess } from './share-success.ts';

it('tries again after a failure, and then keeps the result', async () => {
  const results = [Promise.reject(new Error('too many open files')), Promise.resolve('module')];
  let calls = 0;
  const load = shareSuccess(() => results[calls++] ?? Promise.reject(new Error('called again')));
  await expect(Promise.all([load(), load()])).rejects.toThrow('too many open files');
  expect(calls).toBe(1);
  expect(await Promise.all([load(), load()])).toEqual(['module', 'module']);
  expect(await load()).toBe('module');
  expect(calls).toBe(2);
});
