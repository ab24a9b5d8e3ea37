import { describe, expect, it } from 'vitest';
import { modulesLoadedBy } from '../../test/loaded-modules.ts';
import { expiryChoicesDays } from '../domain/access/keys/index.ts';
import { planIds } from '../domain/foundation/accounts/index.ts';
import { episodeTypes } from '../domain/foundation/enumerations.ts';
import { episodeChangeFields, podcastChangeFields } from '../domain/service/shows/edits/index.ts';
import { commands } from './commands.ts';

describe('a command that opens no installation', () => {
  it.each([['--help'], ['episode', 'set', '--help'], ['config']])(
    'loads no domain code and no driver: %s %s',
    async (...argv) => {
      const loaded = (await modulesLoadedBy(argv)).map(({ url }) => url);
      expect(loaded).toContainEqual(expect.stringMatching(/cli\/commands\.ts$/));
      const heavy = /\/(?:domain\/\w+\/index\.ts|app\.ts|http\/.*|node_modules\/(?!ipaddr\.js).*)$/;
      expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
    },
  );
});

it('compiles no TypeScript before the compile cache is on', async () => {
  const loaded = await modulesLoadedBy(['--help']);
  const early = loaded.filter(({ isCached }) => !isCached).map(({ url }) => url);
  expect(early).toEqual([expect.stringMatching(/\/start\.js$/)]);
  expect(loaded.length).toBeGreaterThan(early.length);
});

const named = (name: string) => commands.find((command) => command.name === name);

describe('help', () => {
  // CLI-16, CLI-18
  it.each([
    // Its slug and title are options.
    ['podcast create', podcastChangeFields.filter((field) => !/^(slug|title)$/.test(field))],
    ['podcast set', podcastChangeFields],
    ['episode set', episodeChangeFields],
  ])('lists every field of %s', (name, fields) => {
    const [, listed = ''] =
      /Fields, as in seed files: ([^.]+)\./.exec(named(name)?.notes ?? '') ?? [];
    expect(listed.split(/,\s+/)).toEqual(fields);
  });

  it('lists the choices of the domain', () => {
    expect(named('episode add')?.options['type']?.choices).toEqual(episodeTypes);
    expect(named('key create')?.options['expiresInDays']?.choices).toEqual(
      expiryChoicesDays.map(String),
    );
    expect(named('plan set')?.operands['plan']?.about).toBe(planIds.join(', '));
  });
});
