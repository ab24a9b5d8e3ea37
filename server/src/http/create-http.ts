import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { KeyUseRecorder } from '../domain/access/keys/index.ts';
import type { Context } from '../domain/foundation/context.ts';
import type { Tables } from '../domain/foundation/database.ts';
import type {
  NewestEpisode,
  PublicAudioFile,
  PublicImage,
  PublicPodcast,
} from '../domain/public/catalogue/index.ts';
import { commentTurns } from '../domain/public/comments/index.ts';
import { OwnDomains } from '../domain/publishing/domains/index.ts';
import { blockOfNetwork, clientNetwork, clientSite } from '../lib/client-network.ts';
import { reportRarely } from '../lib/report-rarely.ts';
import type { Announcements } from '../platform/database/announcements.ts';
import type { DatabaseConnection } from '../platform/database/database.ts';
import { Turns } from '../platform/processes/turns.ts';
import type { ApproximateLimiter } from '../platform/rate-limiter/approximate-limiter.ts';
import type { Quotas } from '../platform/rate-limiter/quotas.ts';
import { CardCache } from './cache/card-cache.ts';
import { DirectoryCache } from './cache/directory-cache.ts';
import { CachedResponses } from './cache/fast-path.ts';
import { PodcastCache } from './cache/podcast-cache.ts';
import {
  createPublicAudioReader,
  createPublicImageReader,
  createPublicPodcastReader,
} from './cache/public-podcast-reader.ts';
import { KeyedLimits, PublicLimit } from './early-refusals.ts';
import { MediaFastPath } from './files/index.ts';
import type { HttpContext, MediaResponseListener } from './http-context.ts';
import { ConnectionLimit } from './limits/connection-limit.ts';
import { ExportPlaces } from './limits/export-places.ts';
import { ExportReads } from './limits/export-reads.ts';
import { FileClients } from './limits/file-clients.ts';
import { KnownSecrets } from './limits/known-secrets.ts';
import { LargeBuilds } from './limits/large-builds.ts';
import { PublicReads } from './limits/public-reads.ts';
import { ReadTurns } from './limits/read-turns.ts';
import { RunningRoutes } from './limits/running-routes.ts';
import { SearchTurns } from './limits/search-turns.ts';
import { ShortPieces } from './limits/short-pieces.ts';
import { SpentQuotas } from './limits/spent-quotas.ts';
import { eventStreamLimits, StreamCount } from './limits/stream-count.ts';
import { UnreadResponses } from './limits/unread-responses.ts';
import { WorkShares } from './limits/work-shares.ts';
import { WriteTurns } from './limits/write-turns.ts';
import type { ReadinessChecks } from './monitoring/health-routes.ts';
import { RequestCounts } from './monitoring/request-counts.ts';
import { createAddressReader, createTrust, PeerAddresses } from './requests/client-address.ts';
import { ListeningSockets, type Place } from './requests/listening-sockets.ts';
import { OpenConnections } from './requests/open-connections.ts';
import { BodySender } from './responses/body-sender.ts';
import { transportSecurity } from './responses/default-headers.ts';
import type { Payload } from './responses/payload.ts';
import type { Route } from './route.ts';
import { createRoutes } from './routes.ts';
import { createHttpServer } from './server.ts';

/** Rate limits, counted in this process or shared with others. */
export interface Limits {
  /** Limits public requests of each client network. */
  readonly public: Pick<ApproximateLimiter, 'consume'>;
  /** Limits requests without a valid key, also by client network. */
  readonly refused: Pick<ApproximateLimiter, 'consume' | 'isUsedUp'>;
  /** Limits exchanges of codes, also by client network. */
  readonly exchanges: Pick<ApproximateLimiter, 'consume'>;
  /** Limits requests to the WebSub hub, also by client network. */
  readonly hub: Pick<ApproximateLimiter, 'consume'>;
  /** Counts keyed requests of users and plans. */
  readonly quotas: Quotas;
}

export interface HttpOptions {
  /** The context of the public. */
  readonly ctx: Context;
  /** The database of `ctx`. */
  readonly database: Pick<DatabaseConnection<Tables>, 'pool' | 'queryInTurns' | 'openSnapshot'>;
  readonly limits: Limits;
  readonly keyUses: Pick<KeyUseRecorder, 'note'>;
  readonly trustProxy: number | readonly string[];
  /** Open connections of one client network; 0, the default: no limit. */
  readonly connectionsPerAddress?: number;
  readonly accelRedirect: string | undefined;
  readonly readiness: ReadinessChecks;
  /** Aborts some time before the server is closed. */
  readonly stopping?: AbortSignal;
  readonly onMediaRequest?: HttpContext['onMediaRequest'];
  /** Called until the server is closed. */
  readonly onMediaResponse?: MediaResponseListener | undefined;
  readonly onMediaHandover?: HttpContext['onMediaHandover'];
  /** The size of the cache of responses. */
  readonly payloadCacheBytes?: number | undefined;
}

export interface Http extends AsyncDisposable {
  readonly domains: OwnDomains;
  readonly server: FastifyInstance;
  readonly counts: RequestCounts;
  /** Returns the URL. Throws if the port cannot be used. */
  listen(place: Place): Promise<string>;
}

// The process should use less than 320 MB with the embedded database (docs/decisions/0001).
const defaultPayloadCacheBytes = 48 * 1024 * 1024;
const showCacheBytes = 8 * 1024 * 1024;
const newestCacheBytes = 1024 * 1024;
const audioCacheBytes = 8 * 1024 * 1024;
const imageCacheBytes = 4 * 1024 * 1024;
const directoryCacheBytes = 4 * 1024 * 1024;

// Routes whose clients have left may finish for as long as others. Those that are cut off after
// that time get a moment.
const finishRoutesMs = 4_000;
const leastMs = 500;
const sweepIdleMs = 100;

/** Creates the HTTP server with its caches. It does not listen yet. */
export async function createHttp(
  options: HttpOptions,
  routes: readonly Route[] = createRoutes(options.readiness),
): Promise<Http> {
  const { ctx, limits, onMediaRequest, onMediaResponse, onMediaHandover, accelRedirect } = options;
  const nowMs = () => ctx.clock.now().getTime();
  const [peers, connections] = [new PeerAddresses(), new OpenConnections()];
  const addressOf = createAddressReader(options.trustProxy, peers);
  const [counts, closing] = [new RequestCounts(), new AbortController()];
  const networkOf: HttpContext['networkOf'] = (request) => clientNetwork(addressOf(request));
  const limiting = createLimiting(limits, networkOf, nowMs);
  const caches = createCaches(nowMs, options.payloadCacheBytes);
  const defaultHeaders = transportSecurity(ctx.installation.baseUrl);
  const blockOf: HttpContext['blockOf'] = (request) => blockOfNetwork(networkOf(request));
  const siteOf = (request: IncomingMessage) => clientSite(addressOf(request));
  const sending = createSending(ctx, siteOf);
  const shared = { nowMs, counts, defaultHeaders, freshness: ctx.announcements.freshness };
  const fastPath = new CachedResponses({ ...shared, ...sending, ...limiting });
  const domains = await OwnDomains.open(ctx);
  const http: HttpContext = {
    ...{ ctx, domains, closing: closing.signal, stopping: options.stopping ?? closing.signal },
    ...createShares(options, siteOf),
    ...createReaders(ctx, caches),
    ...{ payloads: caches.payloads, directory: caches.directory, fastPath, ...sending },
    ...{ cursors: ctx.installation.cursors, counts },
    ...{ addressOf, networkOf, blockOf },
    ...limiting,
    ...{ quotas: limits.quotas, spentQuotas: new SpentQuotas() },
    recordKeyUse: (keyId, request) => options.keyUses.note(keyId, addressOf(request)),
    ...{ onMediaRequest, onMediaResponse, onMediaHandover, accelRedirect },
  };
  const unsubscribe = dropOnChange(ctx.announcements, Object.values(caches));
  const limitsOfRequests = [new KeyedLimits(http, routes), new PublicLimit(http)];
  const earlyHandlers = [new MediaFastPath(http), fastPath, ...limitsOfRequests];
  const accept = createAccept(options, peers, connections);
  const server = createHttpServer(http, routes, earlyHandlers, accept);
  server.addHook('preClose', async () => closing.abort());
  await server.ready();
  const sockets = new ListeningSockets(server);
  return {
    ...{ server, counts, domains, listen: (place: Place) => sockets.open(place) },
    async [Symbol.asyncDispose]() {
      await close(server, { sockets, connections }, http.running);
      unsubscribe();
      await domains[Symbol.asyncDispose]();
    },
  };
}

function createShares({ ctx, database }: HttpOptions, siteOf: HttpContext['networkOf']) {
  return {
    cards: new CardCache(() => ctx.clock.now().getTime()),
    ...{ publicReads: new PublicReads(database), read: undefined },
    running: new RunningRoutes(),
    ...{ workShares: new WorkShares(), knownSecrets: new KnownSecrets() },
    shortPieces: new ShortPieces(),
    largeBuilds: new LargeBuilds(),
    longReads: new ReadTurns(database.pool.options.max),
    eventReads: new ReadTurns(database.pool.options.max),
    searches: new SearchTurns(database.pool.options.max),
    commentReads: new Turns(commentTurns.most, commentTurns),
    eventStreams: new StreamCount(eventStreamLimits, siteOf),
    exports: new ExportPlaces(),
    exportReads: new ExportReads(database),
  };
}

async function close(
  server: FastifyInstance,
  { sockets, connections }: { sockets: ListeningSockets; connections: OpenConnections },
  running: RunningRoutes,
): Promise<void> {
  const sinceMs = performance.now();
  // Connections also become idle while the server closes.
  const sweep = setInterval(() => connections.closeUnused(server.server), sweepIdleMs);
  await Promise.all([sockets.close(), server.close()]).finally(() => clearInterval(sweep));
  const leftMs = finishRoutesMs - (performance.now() - sinceMs);
  await running.ended(Math.max(leastMs, leftMs));
}

function createLimiting(
  limits: Limits,
  networkOf: HttpContext['networkOf'],
  nowMs: () => number,
): Pick<
  HttpContext,
  | 'consumeLimit'
  | 'consumeRefusedLimit'
  | 'isRefusedLimitReached'
  | 'consumeExchangeLimit'
  | 'consumeHubLimit'
> {
  const within = (limiter: Limits['public']) => (request: IncomingMessage) =>
    limiter.consume(networkOf(request), nowMs());
  return {
    consumeLimit: within(limits.public),
    consumeRefusedLimit: within(limits.refused),
    isRefusedLimitReached: (request) => limits.refused.isUsedUp(networkOf(request), nowMs()),
    consumeExchangeLimit: within(limits.exchanges),
    consumeHubLimit: within(limits.hub),
  };
}

function createCaches(nowMs: () => number, payloadCacheBytes = defaultPayloadCacheBytes) {
  return {
    payloads: new PodcastCache<Payload>({ maxBytes: payloadCacheBytes, nowMs }),
    shows: new PodcastCache<PublicPodcast>({ maxBytes: showCacheBytes, nowMs }),
    newest: new PodcastCache<NewestEpisode | undefined>({ maxBytes: newestCacheBytes, nowMs }),
    audio: new PodcastCache<PublicAudioFile>({ maxBytes: audioCacheBytes, nowMs }),
    images: new PodcastCache<PublicImage>({ maxBytes: imageCacheBytes, nowMs }),
    directory: new DirectoryCache({ maxBytes: directoryCacheBytes, nowMs }),
  };
}

function createReaders(ctx: Context, caches: ReturnType<typeof createCaches>) {
  return {
    podcasts: createPublicPodcastReader(ctx, caches),
    audio: createPublicAudioReader(ctx, caches.audio),
    images: createPublicImageReader(ctx, caches.images),
  };
}

function createSending(ctx: Context, networkOf: HttpContext['networkOf']) {
  const { log } = ctx;
  const report = () => log.warn('closed connections of clients that did not read large responses');
  const unread = new UnreadResponses({ networkOf, onClosed: reportRarely(report) });
  const writeTurns = new WriteTurns();
  const fileClients = createFileClients(ctx, networkOf);
  return { writeTurns, bodies: new BodySender(writeTurns, unread), fileClients };
}

function createFileClients({ log, blobs }: Context, networkOf: HttpContext['networkOf']) {
  const create = (kind: 'audio' | 'other files') => {
    const message = `refused to send ${kind}, because its clients have too many open`;
    const onRefused = reportRarely(() => log.warn({ most: blobs.mostClients }, message));
    return new FileClients({ most: blobs.mostClients, networkOf, onRefused });
  };
  return { audio: create('audio'), others: create('other files') };
}

/** Closes connections beyond the limit, and those without an address: they are closed already. */
function createAccept(
  { ctx: { log }, trustProxy, connectionsPerAddress: most = 0 }: HttpOptions,
  peers: PeerAddresses,
  connections: OpenConnections,
): (socket: Socket) => void {
  const trust = createTrust(trustProxy);
  const limit = new ConnectionLimit(most, (address) => trust(address, 0));
  const report = reportRarely(() =>
    log.warn({ most }, 'a client IP address has too many connections'),
  );
  return (socket) => {
    const address = peers.remember(socket);
    if (address !== '' && limit.add(socket, address)) return connections.add(socket);
    socket.destroy();
    if (address !== '') report();
  };
}

interface Droppable {
  drop(podcastId: string): void;
  dropAll(): void;
}

/** Drops changed podcasts from caches, and everything if changes may have been missed. */
function dropOnChange<Tables>(
  announcements: Announcements<Tables>,
  caches: readonly Droppable[],
): () => void {
  return announcements.subscribe({
    onChange: (podcastId) => {
      for (const cache of caches) cache.drop(podcastId);
    },
    onGap: () => {
      for (const cache of caches) cache.dropAll();
    },
  });
}
