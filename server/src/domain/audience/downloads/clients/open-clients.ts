import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clients } from '../../../foundation/context.ts';
import { clientLists } from './client.ts';
import { rememberClients } from './remember-clients.ts';
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
