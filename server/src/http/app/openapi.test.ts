import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { appApi } from './api/index.ts';

const run = promisify(execFile);

it('describes the private API so that types of a client are generated from it', async () => {
  const maxBuffer = 8 * 1024 * 1024;
  const { stdout } = await run(process.execPath, ['--run', 'app-types'], { maxBuffer });
  for (const { operation } of appApi) expect(stdout).toContain(`operations["${operation?.id}"];`);
  for (const name of ['Key', 'Member', 'Import', 'Error']) {
    expect(stdout).toContain(`components["schemas"]["${name}"]`);
  }
});
