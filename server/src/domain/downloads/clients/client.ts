export type ClientKind = 'app' | 'library' | 'browser' | 'bot' | 'unknown';

/** The name if an app or a device is unknown. */
export const unknownLabel = 'unknown';

/** The client of a request, by its user agent. */
export interface Client {
  readonly kind: ClientKind;
  /** The name of the app, library, browser or bot, as the OPAWG lists spell it. */
  readonly app: string;
  /** The name of the device, as the OPAWG lists spell it; never known of a bot. */
  readonly device: string;
}

export const unknownClient: Client = { kind: 'unknown', app: unknownLabel, device: unknownLabel };

/** Recognizes a client by its user agent, which is not empty, in linear time. */
export type Recognize = (userAgent: string) => Client;

/** Recognizes the clients of requests. */
export interface Clients {
  /** `null`, like the empty text: the request had none. */
  identify(userAgent: string | null): Client;
}

/** The kinds in the order in which they are searched: the first match counts. */
export const clientKinds = ['bot', 'app', 'library', 'browser'] as const;

/** The OPAWG lists: of each kind, in the same order, and of devices. */
export const clientLists = ['bots', 'apps', 'libraries', 'browsers', 'devices'] as const;
export type ClientList = (typeof clientLists)[number];
