import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeFields } from '../scripts/describe-fields.ts';

it('docs/fields.md has every field (npm run fields)', async () => {
  const file = new URL('../../docs/fields.md', import.meta.url);
  expect(await readFile(file, 'utf8')).toBe(describeFields());
});
