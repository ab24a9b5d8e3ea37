import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import modules from '../src/domain/modules.json' with { type: 'json' };

it('every folder of the domain has a place in the order of modules', () => {
  const folders = globSync('*/*/', {
    cwd: fileURLToPath(new URL('../src/domain', import.meta.url)),
  });
  expect(Object.keys(modules).sort()).toEqual(folders.sort());
});
