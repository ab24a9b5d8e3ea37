import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../test/make.ts';
import { runCommand } from '../../test/run-command.ts';

let test: TestContext;
let episode: string;
beforeAll(async () => {
  test = await createTestContext();
  ({ id: episode } = await makeEpisode(test.ctx, await makePodcast(test.ctx)));
});
afterAll(() => test[Symbol.asyncDispose]());

const explain = (...argv: string[]) => {
  const day = test.ctx.clock.now().toISOString().slice(0, 10);
  return runCommand(test, ['downloads', 'explain', '--day', day, ...argv]);
};

// CLI-23
it('prints an episode without requests', async () => {
  expect(await explain('--episode', episode)).toMatchObject({
    code: 0,
    json: { episode_id: episode, requests: 0, rejected: {}, listeners: 0, counted: 0 },
  });
});

it.each([
  ['an unknown episode', [randomUUID()], 1, 'There is no such episode.'],
  ['no episode', ['my-show'], 1, '"my-show" is not an episode id.'],
  ['no address', [randomUUID(), '--ip', 'home'], 2, '--ip must be an IP address.'],
  ['a user agent alone', [randomUUID(), '--user-agent', 'App/1'], 2, '--user-agent needs --ip.'],
])('reports %s', async (_, argv, code, said) => {
  expect(await explain('--episode', ...argv)).toMatchObject({
    code,
    said: expect.stringContaining(said),
  });
});
