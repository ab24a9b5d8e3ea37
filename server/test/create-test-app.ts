import inject, { type InjectOptions, type Response } from 'light-my-request';
import type { Overrides } from '../src/app.ts';
import { anyone } from '../src/domain/actor.ts';
import { createHttp, type Http, type HttpOptions } from '../src/http/create-http.ts';
import { createTestContext, type TestContext } from './create-test-context.ts';
import { expectDescribed } from './expect-described.ts';

export interface TestApp extends TestContext {
  readonly http: Http;
  /**
   * A request as from outside, without a socket; the server's first step is gone through too. What
   * the API answers is held against its description: a test of anything else is one of that too.
   */
  request(options: InjectOptions): Promise<Response>;
}

/** A whole installation with its HTTP surface, at http://test.local; no limit unless one is set. */
export async function createTestApp(
  settings: Record<string, string> = {},
  overrides: Overrides & { readonly limiter?: HttpOptions['limiter'] } = {},
): Promise<TestApp> {
  await using opened = new AsyncDisposableStack();
  const context = opened.use(await createTestContext(settings, overrides));
  const { config } = context;
  const http = opened.use(
    await createHttp({
      ctx: context.contextFor(anyone),
      limiter: overrides.limiter ?? { consume: () => true },
      secret: config.secret,
      trustProxy: config.http.trustProxy,
      accelRedirect: config.http.accelRedirect,
      readiness: { database: () => context.database.ping() },
    }),
  );
  const resources = opened.move();
  return {
    ...context,
    http,
    request: async (options) => {
      const answer = await inject(
        (request, response) => http.server.server.emit('request', request, response),
        options,
      );
      const { method = 'GET', url } = options;
      if (typeof url === 'string' && url.startsWith('/v1')) expectDescribed(method, url, answer);
      return answer;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
