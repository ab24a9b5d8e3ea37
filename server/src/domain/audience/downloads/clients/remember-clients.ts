import { LRUCache } from 'lru-cache';
import type { Clients, IdentifiedClient } from '../../../foundation/context.ts';
import { type Recognize, unknownClient } from './client.ts';

const maxRemembered = 10_000;
/** As much of a user agent as evidence keeps. */
const maxChars = 512;

/** Remembers who the most recent user agents were; at most some 10 MB, whatever clients send. */
export function rememberClients(recognize: Recognize): Clients {
  const known = new LRUCache<string, IdentifiedClient>({ max: maxRemembered });
  return {
    identify(userAgent) {
      if (userAgent === null || userAgent === '') return unknownClient;
      const text = userAgent.length > maxChars ? userAgent.slice(0, maxChars) : userAgent;
      const found = known.get(text);
      if (found !== undefined) return found;
      const client = recognize(text);
      // A copy: a part of a longer text would keep that one in memory.
      known.set(Buffer.from(text, 'utf16le').toString('utf16le'), client);
      return client;
    },
  };
}
