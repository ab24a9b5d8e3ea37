import type { FastifyInstance } from 'fastify';
import type { Show } from '../domain/catalogue/index.ts';
import type { Context } from '../domain/context.ts';
import type { KeyUseRecorder } from '../domain/keys/index.ts';
import { clientNetwork } from '../lib/client-network.ts';
import { createCursorCodec } from '../lib/cursor.ts';
import type { Allowances } from '../platform/rate-limiter/allowances.ts';
import type { ApproximateLimiter } from '../platform/rate-limiter/approximate-limiter.ts';
import { createAddressReader } from './client-address.ts';
import { CachedAnswers } from './fast-path.ts';
import { dropOnChange } from './invalidation.ts';
import type { ReadinessChecks } from './operations.ts';
import type { Payload } from './payload.ts';
import { PodcastCache } from './podcast-cache.ts';
import { RequestCounts } from './request-counts.ts';
import { createRoutes } from './routes.ts';
import { createHttpServer } from './server.ts';
import { createShowReader } from './show-reader.ts';
import type { Web } from './web.ts';

/** How often one may ask; counted here, or together with other processes. */
export interface Limits {
  /** Of public requests, by client network: whether one more fits into this minute. */
  readonly public: Pick<ApproximateLimiter, 'consume'>;
  /** Of requests without a good key, the same. */
  readonly refused: Pick<ApproximateLimiter, 'consume'>;
  /** Of keyed requests. */
  readonly allowances: Allowances;
}

export interface HttpOptions {
  /** The context of the public. */
  readonly ctx: Context;
  readonly limits: Limits;
  readonly keyUses: Pick<KeyUseRecorder, 'note'>;
  readonly secret: Buffer;
  readonly trustProxy: number | readonly string[];
  readonly accelRedirect: string | undefined;
  readonly readiness: ReadinessChecks;
}

export interface Http extends AsyncDisposable {
  readonly server: FastifyInstance;
  readonly counts: RequestCounts;
}

const payloadCacheBytes = 192 * 1024 * 1024;
const showCacheBytes = 32 * 1024 * 1024;

/** The HTTP surface, with its caches; not listening yet. */
export async function createHttp(options: HttpOptions): Promise<Http> {
  const { ctx, limits } = options;
  const nowMs = () => ctx.clock.now().getTime();
  const readAddress = createAddressReader(options.trustProxy);
  const counts = new RequestCounts();
  const networkOf: Web['networkOf'] = (request) => clientNetwork(readAddress(request));
  const within =
    (limiter: Limits['public']): Web['mayProceed'] =>
    (request) =>
      limiter.consume(networkOf(request), nowMs());
  const mayProceed = within(limits.public);
  const payloads = new PodcastCache<Payload>({ maxBytes: payloadCacheBytes, nowMs });
  const shows = new PodcastCache<Show>({ maxBytes: showCacheBytes, nowMs });
  const fastPath = new CachedAnswers({ nowMs, counts, mayProceed });
  const web: Web = {
    ctx,
    shows: createShowReader(ctx, shows),
    payloads,
    fastPath,
    cursors: createCursorCodec(options.secret),
    counts,
    networkOf,
    mayProceed,
    mayFailToAuthenticate: within(limits.refused),
    allowances: limits.allowances,
    noteKeyUse: (keyId, request) => options.keyUses.note(keyId, readAddress(request)),
    accelRedirect: options.accelRedirect,
  };
  const unsubscribe = dropOnChange(ctx.changes, [shows, payloads]);
  const server = createHttpServer(web, createRoutes(options.readiness), fastPath);
  await server.ready();
  return {
    server,
    counts,
    async [Symbol.asyncDispose]() {
      await server.close();
      unsubscribe();
    },
  };
}
