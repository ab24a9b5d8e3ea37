import type { AddressInfo } from 'node:net';
import type { Overrides } from '../src/app.ts';
import { createKeyUseRecorder } from '../src/domain/access/keys/index.ts';
import type { DeliveryCounter } from '../src/domain/audience/downloads/index.ts';
import { anyone, system } from '../src/domain/foundation/principal.ts';
import { createHttp } from '../src/http/create-http.ts';
import { createMemoryLimiter } from '../src/platform/rate-limiter/create-memory-limiter.ts';
import { createMemoryQuotas } from '../src/platform/rate-limiter/create-memory-quotas.ts';
import { openDeliveryCounter } from '../src/start-http.ts';
import { createTestContext, type TestContext } from './create-test-context.ts';

/** An installation that counts the downloads that its HTTP server delivers. */
export interface CountingApp extends TestContext {
  readonly url: string;
  readonly downloads: DeliveryCounter;
}

/** Listens on a free port. The client's address is the last one of X-Forwarded-For. */
export async function createCountingApp(
  settings: Record<string, string> = {},
  overrides: Overrides = {},
): Promise<CountingApp> {
  await using opened = new AsyncDisposableStack();
  const context = opened.use(await createTestContext({ TRUST_PROXY: '1', ...settings }, overrides));
  const { config } = context;
  const downloads = opened.use(openDeliveryCounter(context));
  const http = opened.use(
    await createHttp({
      ctx: context.contextFor(anyone),
      database: context.database,
      limits: {
        public: { consume: () => true },
        refused: createMemoryLimiter({ limit: 60 }),
        exchanges: { consume: () => true },
        hub: { consume: () => true },
        quotas: createMemoryQuotas(),
      },
      keyUses: opened.use(createKeyUseRecorder(context.contextFor(system), context.geo)),
      trustProxy: config.http.trustProxy,
      accelRedirect: config.http.accelRedirect,
      onMediaRequest: downloads.begin,
      onMediaResponse: downloads.record,
      onMediaHandover: downloads.handOver,
      readiness: { database: () => context.database.ping() },
    }),
  );
  await http.server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = http.server.server.address() as AddressInfo;
  const resources = opened.move();
  return {
    ...context,
    url: `http://127.0.0.1:${port}`,
    downloads,
    async [Symbol.asyncDispose]() {
      http.server.server.closeAllConnections();
      await resources.disposeAsync();
    },
  };
}
