import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { livenessOf, ownIdentity } from './process-identity.ts';

describe('livenessOf', () => {
  test('this process is alive, and an ended one is dead', async () => {
    expect(livenessOf(ownIdentity())).toBe('alive');
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    expect(livenessOf({ ...ownIdentity(), pid: child.pid! })).toBe('dead');
  });

  test('a process that reuses the id of a dead one counts as another', () => {
    expect(livenessOf({ ...ownIdentity(), startedAtTicks: '1' })).toBe('dead');
  });

  test('a process on another machine is unknown', () => {
    expect(livenessOf({ ...ownIdentity(), place: 'elsewhere' })).toBe('unknown');
  });
});
