import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCommandLines } from '../../test/run-command.ts';
import { apiRoutes } from '../http/routes.ts';

async function print(command: string): Promise<string> {
  const [ended] = await runCommandLines([[command]], { cwd: '/', env: {} });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended?.stdout ?? '';
}

it('the command openapi prints the document of the public API in the repository', async () => {
  const committed = new URL('../../openapi/v1.json', import.meta.url);
  expect(await print('openapi')).toBe(readFileSync(committed, 'utf8'));
});

it('the command routes prints a line for each route of the API', async () => {
  const lines = (await print('routes')).split('\n');
  for (const { method, path } of apiRoutes) {
    const words = lines.filter((line) => line.split(/\s+/).includes(path));
    expect(
      words.some((line) => line.startsWith(method)),
      `${method} ${path}`,
    ).toBe(true);
  }
});
