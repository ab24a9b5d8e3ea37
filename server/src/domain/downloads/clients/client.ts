export type ClientKind = 'app' | 'library' | 'browser' | 'bot' | 'unknown';

/** What stands where an app or a device cannot be told. */
export const unknownLabel = 'unknown';

/** Who made a request, as far as its user agent tells. */
export interface Client {
  readonly kind: ClientKind;
  /** The name of the app, library, browser or bot, as the OPAWG lists spell it. */
  readonly app: string;
  /** The name of the device, as the OPAWG lists spell it; never known of a bot. */
  readonly device: string;
}

export const unknownClient: Client = { kind: 'unknown', app: unknownLabel, device: unknownLabel };

/** Recognizes clients by their user agents, in linear time. */
export interface Clients {
  /** `null`, like the empty text: the request had none. */
  identify(userAgent: string | null): Client;
}

/** The kinds in the order in which they are asked: the first that knows a client wins. */
export const clientKinds = ['bot', 'app', 'library', 'browser'] as const;

/** The OPAWG lists: of each kind, in the same order, and of devices. */
export const clientLists = ['bots', 'apps', 'libraries', 'browsers', 'devices'] as const;
export type ClientList = (typeof clientLists)[number];
