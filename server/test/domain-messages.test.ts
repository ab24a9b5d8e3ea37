import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('no text of the domain names an option of the command line', () => {
  const domain = fileURLToPath(new URL('../src/domain', import.meta.url));
  const files = globSync('**/*.ts', { cwd: domain }).filter((file) => !file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(500);
  const named = files.flatMap((file) => {
    const code = readFileSync(`${domain}/${file}`, 'utf8').replace(/^\s*(?:\/?\*|\/\/).*$/gm, '');
    return [...code.matchAll(/(?<=[ '"`(])--[a-z][a-z-]+/g)].map(([option]) => [file, option]);
  });
  expect(named).toEqual([]);
});
