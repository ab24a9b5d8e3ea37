import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Clients, IdentifiedClient } from '../../../foundation/context.ts';
import { type ClientList, clientKinds, clientLists } from './client.ts';
import { openClients } from './open-clients.ts';

interface Example {
  readonly list: ClientList;
  readonly name: string;
  readonly userAgent: string;
}

/** The OPAWG lists with their examples, on machines that have them. */
const folder = fileURLToPath(new URL('../../../../../../shared/agents', import.meta.url));
const isHere = existsSync(folder);
if (!isHere) console.warn(`No OPAWG lists in ${folder}: their examples are not tested.`);

/**
 * An exception, because the lists contradict themselves: "Apple iPhone" is first and matches every
 * `CFNetwork`.
 */
const contradictions = new Set(['Watch/1140 CFNetwork/3860.200.71 Darwin/25.1.0']);

function readExamples(list: ClientList): Example[] {
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

describe.skipIf(!isHere)('the examples of the OPAWG lists', () => {
  const examples = isHere ? clientLists.flatMap(readExamples) : [];

  it('are all recognized by the lists', async () => {
    const clients = await openClients(folder);
    expect(examples.length).toBeGreaterThan(1_500);
    const wrong = examples.filter(
      (example) => !contradictions.has(example.userAgent) && !isRight(example, clients),
    );
    expect(wrong).toEqual([]);
  });

  it('are nearly all recognized by the shipped tables', async () => {
    const clients = await openClients(undefined);
    for (const list of clientLists) {
      const ofList = examples.filter((example) => example.list === list);
      const right = ofList.filter((example) => isRight(example, clients));
      const share = right.length / ofList.length;
      console.info(`${list}: ${right.length} of ${ofList.length}, ${(share * 100).toFixed(1)} %`);
      expect(share).toBeGreaterThan(0.95);
    }
  });

  it('never make the shipped tables take an app for a bot, or a bot for an app', async () => {
    const clients = await openClients(undefined);
    const kindOf = ({ userAgent }: Example) => clients.identify(userAgent).kind;
    const counted = examples.filter(({ list }) => list !== 'bots');
    expect(counted.filter((example) => kindOf(example) === 'bot')).toEqual([]);
    const bots = examples.filter(({ list }) => list === 'bots');
    expect(bots.filter((example) => kindOf(example) !== 'bot')).toEqual([]);
  });
});
