import type { IncomingMessage } from 'node:http';
import type { PublicAudioFile, PublicPodcast } from '../domain/catalogue/index.ts';
import type { Context } from '../domain/context.ts';
import type { MediaResponse } from '../domain/media/index.ts';
import type { Channel } from '../domain/podcasts/index.ts';
import type { CursorCodec } from '../lib/cursor.ts';
import type { Quotas } from '../platform/rate-limiter/quotas.ts';
import type { EventStreamCount } from './event-stream-count.ts';
import type { Payload } from './payload.ts';
import type { Entry, PodcastCache } from './podcast-cache.ts';
import type { RequestCounts } from './request-counts.ts';

/** What every handler is given: the domain's context for the public, and the tools of HTTP. */
export interface HttpContext {
  /** Its principal is the public; a route with credentials puts its own in. */
  readonly ctx: Context;
  readonly podcasts: PublicPodcastReader;
  readonly audio: PublicAudioReader;
  readonly payloads: PodcastCache<Payload>;
  readonly fastPath: FastPath;
  /** Aborts when the server is told to stop: for requests that would not end by themselves. */
  readonly closing: AbortSignal;
  /** Of all streams of events that are open. */
  readonly eventStreams: EventStreamCount;
  readonly cursors: CursorCodec;
  readonly counts: RequestCounts;
  /** The client's IP address, behind the proxies that are trusted. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** What shares one limit: an IPv4 address, or the /64 of an IPv6 address. */
  readonly networkOf: (request: IncomingMessage) => string;
  /** True while the client may go on; false: its minute is used up. */
  readonly mayProceed: (request: IncomingMessage) => boolean;
  /** The same for requests without a good key, which are counted apart. */
  readonly mayFailToAuthenticate: (request: IncomingMessage) => boolean;
  /** The same for exchanges of codes. */
  readonly mayExchange: (request: IncomingMessage) => boolean;
  /** Of keyed requests. */
  readonly quotas: Quotas;
  /** That a good key came with this request; costs it nothing. */
  readonly noteKeyUse: (keyId: string, request: IncomingMessage) => void;
  /** Who hears of every request for audio when it comes; `onMediaResponse` hears of its response. */
  readonly onMediaRequest: ((at: Date) => void) | undefined;
  /** Who hears of every response of the media addresses; undefined: nobody. */
  readonly onMediaResponse: MediaResponseListener | undefined;
  /** An nginx location that serves the blob folder; undefined: bytes go through this process. */
  readonly accelRedirect: string | undefined;
}

/**
 * Called when a response has ended, so nothing waits for it; what it throws, or rejects with, ends
 * in the log.
 */
export type MediaResponseListener = (response: MediaResponse) => void | Promise<void>;

export interface PublicPodcastReader {
  /** By UUID or current slug, whatever its status; throws where there is none. */
  find(ref: string): Promise<PublicPodcast>;
  /**
   * The same; also throws for a show that `channel` hides. `what` is the name of what the client
   * asked for: it must hear the same of what is unknown.
   */
  get(ref: string, channel: Channel, what?: string): Promise<PublicPodcast>;
  /** False once the show has changed since `get` gave it. */
  isCurrent(show: PublicPodcast): boolean;
}

export interface PublicAudioReader {
  /** By the UUID of an episode in lower case; throws where there is none that is public. */
  get(episodeId: string): Promise<PublicAudioFile>;
  /** What is kept of it; only to be used while `changes.freshness` confirms it. */
  peek(episodeId: string): PublicAudioFile | undefined;
}

export interface FastPath {
  /** From now on this address is answered from `entry`, as long as that lives. */
  remember(url: string, entry: Entry<Payload>): void;
}
