import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRoutes } from '../../src/http/routes.ts';
import { createTestApp, type TestApp } from '../create-test-app.ts';
import { longestTaskMs } from '../watch-event-loop.ts';

/** Bodies that are as long as they may be, with as many values as possible. */
let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const form = 'application/x-www-form-urlencoded';
const forms = createRoutes({}).filter(({ body, path }) => body === 'form' && !path.includes(':'));

it.each(forms.map(({ path }) => path))(
  'a form with one field thirty thousand times does not delay other requests: %s',
  async (url) => {
    const headers = { origin: 'http://test.local', 'content-type': form };
    const payload = 'a&'.repeat(32_000);
    const send = () => app.request({ method: 'POST', url, headers, payload });
    expect((await send()).statusCode).toBeLessThan(500);
    expect(await longestTaskMs(send)).toBeLessThan(50);
  },
);
