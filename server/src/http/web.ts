import type { IncomingMessage } from 'node:http';
import type { Show, Surface as ShowSurface } from '../domain/catalogue/index.ts';
import type { Context } from '../domain/context.ts';
import type { CursorCodec } from '../lib/cursor.ts';
import type { Allowances } from '../platform/rate-limiter/allowances.ts';
import type { Payload } from './payload.ts';
import type { Entry, PodcastCache } from './podcast-cache.ts';
import type { RequestCounts } from './request-counts.ts';

/** What every handler is given: the domain's context for the public, and the tools of HTTP. */
export interface Web {
  /** Its actor is the public; a surface with credentials puts its own in. */
  readonly ctx: Context;
  readonly shows: ShowReader;
  readonly payloads: PodcastCache<Payload>;
  readonly fastPath: FastPath;
  readonly cursors: CursorCodec;
  readonly counts: RequestCounts;
  /** What shares one limit: an IPv4 address, or the /64 of an IPv6 address. */
  readonly networkOf: (request: IncomingMessage) => string;
  /** True while the client may go on; false: its minute is used up. */
  readonly mayProceed: (request: IncomingMessage) => boolean;
  /** The same for requests without a good key, which are counted apart. */
  readonly mayFailToAuthenticate: (request: IncomingMessage) => boolean;
  /** Of keyed requests. */
  readonly allowances: Allowances;
  /** That a good key came with this request; costs it nothing. */
  readonly noteKeyUse: (keyId: string, request: IncomingMessage) => void;
  /** An nginx location that serves the blob folder; undefined: bytes go through this process. */
  readonly accelRedirect: string | undefined;
}

export interface ShowReader {
  /** By UUID or current slug, whatever its status; throws where there is none. */
  find(ref: string): Promise<Show>;
  /** The same; throws what `surface` owes for a show unknown or not to be seen. */
  get(ref: string, surface: ShowSurface): Promise<Show>;
  /** False once the show has changed since `get` gave it. */
  isCurrent(show: Show): boolean;
}

export interface FastPath {
  /** From now on this address is answered from `entry`, as long as that lives. */
  remember(url: string, entry: Entry<Payload>): void;
}
