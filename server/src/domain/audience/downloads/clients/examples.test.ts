import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCollection, ownCases } from '../../../../../test/collections.ts';
import type { Clients, IdentifiedClient } from '../../../foundation/context.ts';
import { type ClientList, clientKinds, clientLists } from './client.ts';
import { openClients } from './open-clients.ts';

interface Example {
  readonly list: ClientList;
  readonly name: string;
  readonly userAgent: string;
}

/**
 * An exception, because the lists contradict themselves: "Apple iPhone" is first and matches every
 * `CFNetwork`.
 */
const contradictions = new Set(['Watch/1140 CFNetwork/3860.200.71 Darwin/25.1.0']);

function readExamples(folder: string, list: ClientList): Example[] {
  const { entries } = JSON.parse(readFileSync(join(folder, `${list}.json`), 'utf8')) as {
    entries: { name: string; examples?: string[] }[];
  };
  return entries.flatMap(({ name, examples = [] }) =>
    examples.map((userAgent) => ({ list, name, userAgent })),
  );
}

function isRight({ list, name, userAgent }: Example, clients: Clients): boolean {
  const found: IdentifiedClient = clients.identify(userAgent);
  if (list === 'devices') return found.device === name;
  return found.app === name && found.kind === clientKinds[clientLists.indexOf(list)];
}

/** Lists in the OPAWG format: how many examples they have at least. */
const folders = new Map([[join(ownCases, 'agents'), 65]]);
const collection = findCollection('agents');
if (collection !== undefined) folders.set(collection, 1_500);

describe.each([...folders])('the examples of the lists in %s', (folder, leastExamples) => {
  const examples = clientLists.flatMap((list) => readExamples(folder, list));

  it('examples are all recognized by the lists they come from', async () => {
    const clients = await openClients(folder);
    expect(examples.length).toBeGreaterThan(leastExamples);
    const wrong = examples.filter(
      (example) => !contradictions.has(example.userAgent) && !isRight(example, clients),
    );
    expect(wrong).toEqual([]);
  });

  it('examples are nearly all recognized by the shipped tables', async () => {
    const clients = await openClients(undefined);
    for (const list of clientLists) {
      const ofList = examples.filter((example) => example.list === list);
      const wrong = ofList.filter((example) => !isRight(example, clients));
      const share = 1 - wrong.length / ofList.length;
      console.info(`${list}: ${(share * 100).toFixed(1)} % of ${ofList.length}`);
      expect(share, JSON.stringify(wrong.slice(0, 3))).toBeGreaterThan(0.95);
    }
  });

  it('examples never make the shipped tables take an app for a bot, or a bot for an app', async () => {
    const clients = await openClients(undefined);
    const kindOf = ({ userAgent }: Example) => clients.identify(userAgent).kind;
    const counted = examples.filter(({ list }) => list !== 'bots');
    expect(counted.filter((example) => kindOf(example) === 'bot')).toEqual([]);
    const bots = examples.filter(({ list }) => list === 'bots');
    expect(bots.filter((example) => kindOf(example) !== 'bot')).toEqual([]);
  });
});
