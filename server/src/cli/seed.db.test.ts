import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../test/create-test-context.ts';
import { runCommand } from '../../test/run-command.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

it('says in words that fit any number what became of the downloads', async () => {
  const episode = {
    ...{ ref: 'one', slug: 'one', title: 'One', status: 'published', published_at: '-30d' },
    audio: { tone_seconds: 5 },
  };
  const from = { ip: '203.0.113.7', user_agent: 'AntennaPod/3.4' };
  const seed = {
    users: [{ ref: 'ana', email: 'ana@example.com', password: 'correct horse battery' }],
    podcasts: [{ ref: 'show', owner: 'ana', slug: 'seeded', title: 'Seeded', episodes: [episode] }],
    downloads: [{ episode: 'show/one', at: '-1h', ...from }],
  };
  const cwd = test.config.dataDir;
  await writeFile(join(cwd, 'seed.json'), JSON.stringify(seed));
  const { code, said } = await runCommand(test, ['seed', 'seed.json'], { cwd });
  expect(code).toBe(0);
  expect(said.split('\n')).toContain('downloads: 1 counted; requests: 1.');
});
