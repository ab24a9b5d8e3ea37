import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Clients, IdentifiedClient } from '../../../foundation/context.ts';
import { clientLists, type Recognize, unknownClient } from './client.ts';
import { recognizeSelfNamedBots } from './self-named-bots.ts';
import { recognizeShippedClients } from './shipped-clients.ts';

/**
 * Recognizes clients by the shipped tables, or by the OPAWG lists in `folder`. Throws an Error that
 * names everything wrong with them.
 */
export async function openClients(folder: string | undefined): Promise<Clients> {
  if (folder === undefined)
    return rememberClients(recognizeSelfNamedBots(recognizeShippedClients()));
  const problems: string[] = [];
  const lists = clientLists.map((list) => [list, tryReadJson(folder, `${list}.json`, problems)]);
  if (problems.length > 0) throw new Error(problems.join('; '));
  // Loaded only where it is used: the engine of its expressions is large.
  const { recognizeListedClients } = await import('./listed-clients.ts');
  const recognize = recognizeListedClients(Object.fromEntries(lists));
  return rememberClients(recognizeSelfNamedBots(recognize));
}

function tryReadJson(folder: string, name: string, problems: string[]): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, name), 'utf8'));
  } catch (error) {
    problems.push(`${name} ${error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'}`);
    return undefined;
  }
}

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
