import type { Overrides } from '../src/app.ts';
import { anyone } from '../src/domain/actor.ts';
import { createHttp, type Http } from '../src/http/create-http.ts';
import { createMemoryLimiter } from '../src/platform/rate-limiter/approximate-limiter.ts';
import { createTestContext, type TestContext } from './create-test-context.ts';

export interface TestApp extends TestContext {
  readonly http: Http;
  /** A request as from outside, without a socket. */
  readonly request: Http['server']['inject'];
}

/** A whole installation with its HTTP surface, at http://test.local; no limit unless one is set. */
export async function createTestApp(
  settings: Record<string, string> = {},
  overrides: Overrides = {},
): Promise<TestApp> {
  await using opened = new AsyncDisposableStack();
  const context = opened.use(await createTestContext(settings, overrides));
  const { config } = context;
  const http = opened.use(
    await createHttp({
      ctx: context.contextFor(anyone),
      limiter: createMemoryLimiter({ limit: config.http.publicRateLimit }),
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
    request: http.server.inject.bind(http.server) as Http['server']['inject'],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
