import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { appApi } from './api/index.ts';

const run = promisify(execFile);

it('describes the private API well enough to generate the types of a client', async () => {
  const maxBuffer = 8 * 1024 * 1024;
  await run(process.execPath, ['--run', 'app-types'], { maxBuffer });
  const types = readFileSync('dashboard/src/api/schema.d.ts', 'utf8');
  for (const { operation } of appApi) expect(types).toContain(`operations["${operation?.id}"];`);
  for (const name of ['Key', 'Member', 'Import', 'Error']) {
    expect(types).toContain(`components["schemas"]["${name}"]`);
  }
});
