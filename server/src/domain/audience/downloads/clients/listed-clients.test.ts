import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { acceptableGrowth, measureGrowth } from '../../../../../test/growth.ts';
import { clientLists } from './client.ts';
import { recognizeListedClients } from './listed-clients.ts';
import { openClients } from './open-clients.ts';

type Entries = readonly unknown[];

function create(lists: Readonly<Record<string, Entries>>) {
  const all = clientLists.map((list) => [list, { entries: lists[list] ?? [] }]);
  return recognizeListedClients(Object.fromEntries(all));
}

const names = {
  bots: [{ name: 'Checker', pattern: 'Check', examples: ['Check/1'] }],
  apps: [
    { name: 'Player', pattern: '^Player/\\d' },
    { name: 'Everything', pattern: 'Pl|^Ch' },
  ],
  libraries: [{ name: 'Library', pattern: 'lib', category: 'bot' }],
  browsers: [{ name: 'Browser', pattern: '.+Browser$' }],
  devices: [{ name: 'Phone', pattern: 'phone', category: 'mobile' }],
};

describe('lists in the OPAWG format', () => {
  const recognize = create(names);

  it.each([
    ['Check/1 phone', 'bot', 'Checker', 'unknown'],
    ['Player/1 (phone)', 'app', 'Player', 'Phone'],
    ['Play/1', 'app', 'Everything', 'unknown'],
    ['lib/1', 'library', 'Library', 'unknown'],
    ['my Browser', 'browser', 'Browser', 'unknown'],
    ['new phone', 'unknown', 'unknown', 'Phone'],
  ])('%j is the %s %s on %s', (userAgent, kind, app, device) => {
    expect(recognize(userAgent)).toEqual({ kind, app, device });
  });

  it.each([
    [{ pattern: 'x' }, 'apps.json, entry 1: has no name'],
    [null, 'apps.json, entry 1: has no name'],
    [{ name: 'X' }, 'apps.json, entry 1: X has no pattern'],
    [{ name: 'X', pattern: '(' }, 'the pattern of X cannot be searched for in linear time'],
    [{ name: 'X', pattern: '(?=a)b' }, 'the pattern of X cannot be searched for in linear time'],
    [{ name: 'X', pattern: '(a)\\1' }, 'the pattern of X cannot be searched for in linear time'],
    [{ name: 'X', pattern: 'a{1,1000}'.repeat(9) }, 'the pattern of X is too large'],
  ])('lists in the OPAWG format refuse %j', (entry, problem) => {
    expect(() => create({ apps: [entry] })).toThrow(problem);
  });

  it('lists in the OPAWG format are refused with every problem', () => {
    expect(() =>
      recognizeListedClients({ ...create, bots: [], apps: { entries: [{}] } } as never),
    ).toThrow(
      'bots.json must be an object with a list "entries"; apps.json, entry 1: has no name; ' +
        'libraries.json must',
    );
  });

  it('lists in the OPAWG format are refused when they are too large together', () => {
    const entry = { name: 'X', pattern: 'a{1,1000}' };
    expect(() => create({ apps: Array(60).fill(entry) })).toThrow('too large together');
  });

  it.each(['(a+)+$', '(a|a)*b', '(.*a){12}b', '^(\\w+\\s?)*!'])(
    'lists in the OPAWG format search for %s in linear time',
    (pattern) => {
      const recognize = create({ apps: [{ name: 'X', pattern }] });
      expect(measureGrowth((n) => recognize(`${'a'.repeat(n)}\u0001`))).toBeLessThan(
        acceptableGrowth,
      );
    },
  );
});

describe('openClients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podstead-lists-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('reads the lists of a folder, or says what is wrong with it', async () => {
    await expect(openClients(folder)).rejects.toThrow('bots.json cannot be read; apps.json cannot');
    for (const list of clientLists) {
      writeFileSync(join(folder, `${list}.json`), JSON.stringify({ entries: names[list] }));
    }
    const clients = await openClients(folder);
    expect(clients.identify('Play/1')).toMatchObject({ kind: 'app', app: 'Everything' });
    writeFileSync(join(folder, 'bots.json'), '{');
    await expect(openClients(folder)).rejects.toThrow('bots.json is not JSON');
  });

  it('takes the shipped tables without a folder', async () => {
    const clients = await openClients(undefined);
    expect(clients.identify('Play/1')).toMatchObject({ kind: 'unknown' });
    expect(clients.identify('Overcast/3')).toMatchObject({ kind: 'app', app: 'Overcast' });
  });
});
