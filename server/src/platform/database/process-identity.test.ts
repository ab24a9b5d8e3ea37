import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { livenessOf, ownIdentity } from './process-identity.ts';

describe('livenessOf', () => {
  test('this process is alive, and one that is gone is dead', async () => {
    expect(livenessOf(ownIdentity())).toBe('alive');
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    expect(livenessOf({ ...ownIdentity(), pid: child.pid! })).toBe('dead');
  });

  test('a process that has got the number of a dead one is not taken for it', () => {
    expect(livenessOf({ ...ownIdentity(), startedAtTicks: '1' })).toBe('dead');
  });

  test('of another place nothing is known', () => {
    expect(livenessOf({ ...ownIdentity(), place: 'elsewhere' })).toBe('unknown');
  });
});
