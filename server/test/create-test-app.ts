import inject, { type InjectOptions, type Response } from 'light-my-request';
import { createKeyUseRecorder, type KeyUseRecorder } from '../src/domain/access/keys/index.ts';
import { anyone, system } from '../src/domain/foundation/principal.ts';
import { createHttp, type Http, type HttpOptions, type Limits } from '../src/http/create-http.ts';
import type { Route } from '../src/http/route.ts';
import { createMemoryLimiter } from '../src/platform/rate-limiter/create-memory-limiter.ts';
import { createMemoryQuotas } from '../src/platform/rate-limiter/create-memory-quotas.ts';
import {
  createTestContext,
  type TestContext,
  type TestContextOverrides,
} from './create-test-context.ts';
import { createDescribedCheck, expectDescribed } from './expect-described.ts';

export interface TestApp extends TestContext {
  readonly http: Http;
  readonly keyUses: KeyUseRecorder;
  /**
   * Sends a request without a socket, also through the server's first steps. Every response of the
   * API is compared with its description, in every test.
   */
  request(options: InjectOptions): Promise<Response>;
}

/** An installation with its HTTP server, at http://test.local; by default without public limit. */
export async function createTestApp(
  settings: Record<string, string> = {},
  overrides: TestContextOverrides &
    Pick<HttpOptions, 'onMediaResponse' | 'onMediaHandover' | 'payloadCacheBytes'> & {
      readonly limits?: Partial<Limits>;
      /** All routes, in place of the product's. */
      readonly endpoints?: readonly Route[];
    } = {},
): Promise<TestApp> {
  const { endpoints } = overrides;
  const expectResponse =
    endpoints === undefined ? expectDescribed : createDescribedCheck(endpoints);
  await using opened = new AsyncDisposableStack();
  const context = opened.use(await createTestContext(settings, overrides));
  const { config } = context;
  const keyUses = opened.use(createKeyUseRecorder(context.contextFor(system), context.geo));
  const http = opened.use(
    await createHttp(
      {
        ctx: context.contextFor(anyone),
        database: context.database,
        limits: {
          public: { consume: () => true },
          refused: createMemoryLimiter({ limit: 60 }),
          exchanges: createMemoryLimiter({ limit: 30 }),
          hub: { consume: () => true },
          quotas: createMemoryQuotas(),
          ...overrides.limits,
        },
        keyUses,
        trustProxy: config.http.trustProxy,
        accelRedirect: config.http.accelRedirect,
        onMediaResponse: overrides.onMediaResponse,
        onMediaHandover: overrides.onMediaHandover,
        payloadCacheBytes: overrides.payloadCacheBytes,
        readiness: { database: () => context.database.ping() },
      },
      endpoints,
    ),
  );
  const resources = opened.move();
  return {
    ...context,
    http,
    keyUses,
    request: async (options) => {
      const ends: (() => void)[] = [];
      const response = await inject((request, response) => {
        // Node's requests emit this event; this one does not by itself.
        ends.push(() => request.emit('close'));
        http.server.server.emit('request', request, response);
      }, options);
      for (const end of ends) end();
      const { method = 'GET', url, payload, headers } = options;
      const isAtDomain = http.domains.find(String(headers?.['host'])) !== undefined;
      if (typeof url === 'string' && url.startsWith('/v1') && !isAtDomain) {
        expectResponse(method, url, response, typeof payload === 'string' ? payload : undefined);
      }
      return response;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
