import type { IdentifiedClient } from '../../../foundation/context.ts';
import { type Recognize, unknownLabel } from './client.ts';
import data from './self-named-bots.json' with { type: 'json' };

const notBots: ReadonlySet<string> = new Set(data.not_bots);
const bot: IdentifiedClient = { kind: 'bot', app: unknownLabel, device: unknownLabel };

/**
 * Also recognizes bots that are on no list and say what they are (`Listen Notes Bot/1.0`). What a list
 * calls an app stays one. Libraries and browsers do not, because bots use them.
 */
export function recognizeSelfNamedBots(recognize: Recognize): Recognize {
  return (userAgent) => {
    const client = recognize(userAgent);
    if (client.kind === 'bot' || client.kind === 'app') return client;
    return saysBot(userAgent) ? bot : client;
  };
}

/** A part of a word begins with each capital after a small letter: `LinkedInBot` has three. */
function saysBot(userAgent: string): boolean {
  for (const [part] of userAgent.matchAll(/[A-Z]+[a-z]*|[a-z]+/g)) {
    const word = part.toLowerCase();
    if (data.words.some((end) => word.endsWith(end)) && !notBots.has(word)) return true;
  }
  return false;
}
