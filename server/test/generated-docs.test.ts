import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { generatedDocs } from '../scripts/generated-docs.ts';

it.each(Object.entries(generatedDocs))(
  '%s is what npm run docs would write',
  async (path, describe) => {
    const file = new URL(`../../${path}`, import.meta.url);
    expect(await readFile(file, 'utf8')).toBe(describe());
  },
);
