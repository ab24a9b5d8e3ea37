import type { IdentifiedClient } from '../../../foundation/context.ts';

/** The name if an app or a device is unknown. */
export const unknownLabel = 'unknown';

export const unknownClient: IdentifiedClient = {
  kind: 'unknown',
  app: unknownLabel,
  device: unknownLabel,
};

/** Recognizes a client by its user agent, which is not empty, in linear time. */
export type Recognize = (userAgent: string) => IdentifiedClient;

/** The kinds in the order in which they are searched: the first match counts. */
export const clientKinds = ['bot', 'app', 'library', 'browser'] as const;

/** The OPAWG lists: of each kind, in the same order, and of devices. */
export const clientLists = ['bots', 'apps', 'libraries', 'browsers', 'devices'] as const;
export type ClientList = (typeof clientLists)[number];
