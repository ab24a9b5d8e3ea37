import type { IncomingMessage } from 'node:http';
import type { ObservedRequest, OpenResponse } from '../domain/audience/downloads/index.ts';
import type { Context } from '../domain/foundation/context.ts';
import type {
  NewestEpisode,
  PublicAudioFile,
  PublicImage,
  PublicPodcast,
} from '../domain/public/catalogue/index.ts';

import type { OwnDomains } from '../domain/publishing/domains/index.ts';
import type { Channel } from '../domain/publishing/podcasts/index.ts';
import type { CursorCodec } from '../lib/cursor.ts';
import type { Turns } from '../platform/processes/turns.ts';
import type { Quotas } from '../platform/rate-limiter/quotas.ts';
import type { CardCache } from './cache/card-cache.ts';
import type { DirectoryCache } from './cache/directory-cache.ts';
import type { Entry, PodcastCache } from './cache/podcast-cache.ts';
import type { ExportPlaces } from './limits/export-places.ts';
import type { ExportReads } from './limits/export-reads.ts';
import type { FileClients } from './limits/file-clients.ts';
import type { KnownSecrets } from './limits/known-secrets.ts';
import type { LargeBuilds } from './limits/large-builds.ts';
import type { PublicRead, PublicReads } from './limits/public-reads.ts';
import type { ReadTurns } from './limits/read-turns.ts';
import type { RunningRoutes } from './limits/running-routes.ts';
import type { SearchTurns } from './limits/search-turns.ts';
import type { ShortPieces } from './limits/short-pieces.ts';
import type { SpentQuotas } from './limits/spent-quotas.ts';
import type { StreamCount } from './limits/stream-count.ts';
import type { WorkShares } from './limits/work-shares.ts';
import type { WriteTurns } from './limits/write-turns.ts';
import type { RequestCounts } from './monitoring/request-counts.ts';
import type { BodySender } from './responses/body-sender.ts';
import type { Payload } from './responses/payload.ts';

/** Every handler gets this: the domain's context for the public, and the tools of HTTP. */
export interface HttpContext {
  /** Its principal is the public. Routes with credentials use their own. */
  readonly ctx: Context;
  readonly podcasts: PublicPodcastReader;
  readonly audio: PublicAudioReader;
  readonly images: PublicImageReader;
  /** The verified domains of shows. */
  readonly domains: Pick<OwnDomains, 'find' | 'size'>;
  readonly payloads: PodcastCache<Payload>;
  /** Responses about all shows. */
  readonly directory: DirectoryCache;
  readonly cards: CardCache;
  readonly fastPath: FastPath;
  /** Sends bodies that are in memory, and limits those that wait for clients that do not read. */
  readonly bodies: BodySender;
  /** How much large responses write in one turn of the event loop. */
  readonly writeTurns: WriteTurns;
  /** Aborts when the server stops, for requests that do not end by themselves. */
  readonly closing: AbortSignal;
  /** Aborts before: load balancers are to send no more requests. */
  readonly stopping: AbortSignal;
  /** Routes that are at work, perhaps for clients that have left. */
  readonly running: RunningRoutes;
  /** How many connections to the database the public reads of a show use at once. */
  readonly publicReads: PublicReads;
  /** The public request whose turns the statements of `ctx` take; undefined for all others. */
  readonly read: PublicRead | undefined;
  /** How many large responses are built at once. */
  readonly largeBuilds: LargeBuilds;
  /** How many reads of all episodes of a show are at work at once. */
  readonly longReads: ReadTurns;
  /** How many searches are at work at once. */
  readonly searches: SearchTurns;
  /** The same for what open windows read after a change. */
  readonly eventReads: ReadTurns;
  /** How many posts are asked for their replies at once. */
  readonly commentReads: Turns;
  /** How many requests of one user are at work at once. */
  readonly workShares: WorkShares;
  /** How often a user continues uploads by a few bytes. */
  readonly shortPieces: ShortPieces;
  /** The secrets of sessions and keys that have been found. */
  readonly knownSecrets: KnownSecrets;
  /** Counts the open streams of events. */
  readonly eventStreams: StreamCount;
  /** The exports of shows that are being sent. */
  readonly exports: ExportPlaces;
  /** Counts the clients who are being sent audio, and those of all other stored files. */
  readonly fileClients: { readonly audio: FileClients; readonly others: FileClients };
  /** How exports read the database. */
  readonly exportReads: ExportReads;
  readonly cursors: CursorCodec;
  readonly counts: RequestCounts;
  /** The client's IP address, behind the proxies that are trusted. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** The network that shares one limit: an IPv4 address, or the /64 of an IPv6 address. */
  readonly networkOf: (request: IncomingMessage) => string;
  /** Who takes turns: the /24 of an IPv4 address, or the /48 of an IPv6 address (`blockOfNetwork`). */
  readonly blockOf: (request: IncomingMessage) => string;
  /** Counts a public request; false if the client has used up its limit of this minute. */
  readonly consumeLimit: (request: IncomingMessage) => boolean;
  /** The same for requests without a valid key, which have their own limit. */
  readonly consumeRefusedLimit: (request: IncomingMessage) => boolean;
  /** Whether such a request would be refused. It is not counted. */
  readonly isRefusedLimitReached: (request: IncomingMessage) => boolean;
  /** Counts an exchange of codes; false if the client has used up its limit for these. */
  readonly consumeExchangeLimit: (request: IncomingMessage) => boolean;
  /** Counts a request to the WebSub hub; false if the client has used up its limit for these. */
  readonly consumeHubLimit: (request: IncomingMessage) => boolean;
  /** Counts keyed requests of users and plans. */
  readonly quotas: Quotas;
  /** Keys that have just been refused, because their user has no requests left. */
  readonly spentQuotas: SpentQuotas;
  /** Records the use of a valid key, without delaying the request. */
  readonly recordKeyUse: (keyId: string, request: IncomingMessage) => void;
  /**
   * Called for every request for audio when it arrives; with its response if that has not ended
   * yet. At its end, `onMediaResponse` or `onMediaHandover` is called, with the same object.
   */
  readonly onMediaRequest: ((at: Date, response?: OpenResponse) => void) | undefined;
  /** Called after every response of the media addresses with what this process delivered. */
  readonly onMediaResponse: MediaResponseListener | undefined;
  /** Called instead if nginx sends the bytes: only its log says how many. */
  readonly onMediaHandover: ((at: Date, response?: OpenResponse) => void) | undefined;
  /** An nginx location that serves the blob folder; undefined: bytes go through this process. */
  readonly accelRedirect: string | undefined;
}

/**
 * Called when a response has ended, so nothing waits for it. Its errors are logged.
 */
export type MediaResponseListener = (
  observed: ObservedRequest,
  response?: OpenResponse,
) => void | Promise<void>;

export interface PublicPodcastReader {
  /** The same, in the turns of a request. */
  within(read: PublicRead): PublicPodcastReader;
  /** Finds a show by UUID or current slug, with any status; throws if there is none. */
  find(ref: string): Promise<PublicPodcast>;
  /**
   * The same; also throws for a show that `channel` hides. `what` names the requested thing in the
   * message, which is the same for unknown and hidden shows.
   */
  get(ref: string, channel: Channel, what?: string): Promise<PublicPodcast>;
  /** Its newest episode, as a link. Read once for all its pages that don't exist, which anybody can request. */
  findNewest(show: PublicPodcast): Promise<NewestEpisode | undefined>;
  /** False if the show has changed since `get` returned it. */
  isCurrent(show: PublicPodcast): boolean;
}

export interface PublicImageReader {
  /** The same, in the turns of a request. */
  within(read: PublicRead): PublicImageReader;
  /** By UUID in lower case; throws unless something public shows it. */
  get(imageId: string): Promise<PublicImage>;
}

export interface PublicAudioReader {
  /** The same, in the turns of a request. */
  within(read: PublicRead): PublicAudioReader;
  /** By the UUID of an episode in lower case; throws if it has no public audio. */
  get(episodeId: string): Promise<PublicAudioFile>;
  /** Returns cached audio. Use it only while `announcements.freshness` confirms it. */
  peek(episodeId: string): PublicAudioFile | undefined;
}

export interface FastPath {
  /** Responds to this address from `entry` from now on, while the entry is live. */
  remember(url: string, entry: Entry<Payload>): void;
}
