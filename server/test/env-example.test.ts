import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeSettings } from '../scripts/describe-settings.ts';

it('.env.example names every setting (npm run env-example)', async () => {
  const file = new URL('../../.env.example', import.meta.url);
  expect(await readFile(file, 'utf8')).toBe(describeSettings());
});
