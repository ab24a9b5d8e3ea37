import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { podcastTaxonomy } from '../../../server/src/lib/podcast-taxonomy.ts';

it('names every role and group of the taxonomy', async () => {
  // The macros that the file uses exist only in the build.
  const text = await readFile(join(import.meta.dirname, 'taxonomy-names.ts'), 'utf8');
  const named = [...text.matchAll(/^ {2}'?([a-z .-]+?)'?: msg`/gm)].map(([, name]) => name);
  const wanted = Object.entries(podcastTaxonomy).flat(2);
  expect([...new Set(named)].sort()).toEqual([...new Set(wanted)].sort());
});
