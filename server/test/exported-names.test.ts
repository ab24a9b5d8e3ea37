import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('no two exported functions of the server have the same name', () => {
  const source = fileURLToPath(new URL('../src', import.meta.url));
  const filesByName = new Map<string, Set<string>>();
  for (const file of globSync('**/*.ts', { cwd: source })) {
    if (file.endsWith('.test.ts')) continue;
    const text = readFileSync(`${source}/${file}`, 'utf8');
    for (const [, name = ''] of text.matchAll(/^export (?:async )?function\*? ?(\w+)/gm)) {
      filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file));
    }
  }
  expect(filesByName.size).toBeGreaterThan(1000);
  const shared = [...filesByName].filter(([, files]) => files.size > 1);
  expect(shared.map(([name, files]) => [name, ...files])).toEqual([]);
});
