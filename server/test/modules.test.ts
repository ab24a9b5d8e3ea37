import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { withModules } from '../scripts/describe-modules.ts';
import modules from '../src/domain/modules.json' with { type: 'json' };

it('every folder of the domain has a place in the order of modules', async () => {
  const folders = globSync('*/*/', {
    cwd: fileURLToPath(new URL('../src/domain', import.meta.url)),
  });
  expect(Object.keys(modules).sort()).toEqual(folders.sort());
});

it('ARCHITECTURE.md has the table of modules (npm run modules)', async () => {
  const text = await readFile(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  expect(text).toContain('| module | owns |');
  expect(withModules(text)).toBe(text);
});
