import inject, { type InjectOptions, type Response } from 'light-my-request';
import type { Overrides } from '../src/app.ts';
import { anyone, system } from '../src/domain/actor.ts';
import { createKeyUseRecorder, type KeyUseRecorder } from '../src/domain/keys/index.ts';
import { createHttp, type Http, type Limits } from '../src/http/create-http.ts';
import { createMemoryAllowances } from '../src/platform/rate-limiter/create-memory-allowances.ts';
import { createMemoryLimiter } from '../src/platform/rate-limiter/create-memory-limiter.ts';
import { createTestContext, type TestContext } from './create-test-context.ts';
import { expectDescribed } from './expect-described.ts';

export interface TestApp extends TestContext {
  readonly http: Http;
  /** Disposing keeps what was noted; requests go on being noted. */
  readonly keyUses: KeyUseRecorder;
  /**
   * A request as from outside, without a socket; the server's first step is gone through too. What
   * the API answers is held against its description: a test of anything else is one of that too.
   */
  request(options: InjectOptions): Promise<Response>;
}

/** A whole installation with its HTTP surface, at http://test.local; no public limit unless one is set. */
export async function createTestApp(
  settings: Record<string, string> = {},
  overrides: Overrides & { readonly limits?: Partial<Limits> } = {},
): Promise<TestApp> {
  await using opened = new AsyncDisposableStack();
  const context = opened.use(await createTestContext(settings, overrides));
  const { config } = context;
  const keyUses = opened.use(createKeyUseRecorder(context.contextFor(system), context.geo));
  const http = opened.use(
    await createHttp({
      ctx: context.contextFor(anyone),
      limits: {
        public: { consume: () => true },
        refused: createMemoryLimiter({ limit: 60 }),
        allowances: createMemoryAllowances(),
        ...overrides.limits,
      },
      keyUses,
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
    keyUses,
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
