import type { FastifyInstance } from 'fastify';
import type { Show } from '../domain/catalogue/index.ts';
import type { Context } from '../domain/context.ts';
import { clientNetwork } from '../lib/client-network.ts';
import { createCursorCodec } from '../lib/cursor.ts';
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

export interface HttpOptions {
  /** The context of the public. */
  readonly ctx: Context;
  /** Of public requests, by client network: whether one more fits into this minute. */
  readonly limiter: { consume(key: string, nowMs: number): boolean };
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
  const { ctx, limiter } = options;
  const nowMs = () => ctx.clock.now().getTime();
  const readAddress = createAddressReader(options.trustProxy);
  const counts = new RequestCounts();
  const mayProceed: Web['mayProceed'] = (request) =>
    limiter.consume(clientNetwork(readAddress(request)), nowMs());
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
    mayProceed,
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
