import { type AppRuns, appCommands, type CommandSpec } from './command.ts';

const list = {
  name: 'site list',
  about: 'Lists connected sites, and those that were connected, newest first.',
  notes: [
    'With --user, those of one user. `last_call` says what the site has asked for last, and `behind`',
    'how many changes wait for it; `pings` whether it can be told of changes.',
  ].join('\n'),
  options: { user: { value: 'EMAIL', about: 'only the sites of this user' } },
} as const satisfies CommandSpec;

const show = {
  name: 'site show',
  about: 'Prints a connected site.',
  operands: { id: { about: 'id of the site, see `site list`' } },
} as const satisfies CommandSpec;

const disconnect = {
  name: 'site disconnect',
  about: 'Disconnects a site.',
  notes: [
    'Its key ends with the next request. The posts of the site stay. Its user can connect it again,',
    'and it then continues with the same posts. Prints the site.',
  ].join('\n'),
  operands: { id: { about: 'id of the site, see `site list`' } },
} as const satisfies CommandSpec;

const createKey = {
  name: 'site key create',
  about: 'Creates a key that connects a site on a command line.',
  notes: [
    'Prints the key with its secret. Only a hash is stored, so this is the only time. The plugin of',
    'the site has to register it within 24 hours; until then it can do nothing else. The user gets',
    'an email, and must own or administer the podcasts.',
  ].join('\n'),
  operands: {
    email: { about: 'the user' },
    podcasts: { about: 'more podcasts', label: 'SLUG', repeated: true, optional: true },
  },
  options: {
    podcast: {
      value: 'SLUG',
      about: 'slug or id of a podcast; may be given more than once',
      required: true,
      many: true,
    },
    transcripts: { about: 'the site may also read transcripts' },
  },
} as const satisfies CommandSpec;

const specs = { list, show, disconnect, createKey };
export type SiteRuns = AppRuns<typeof specs>;

export const siteCommands = appCommands(specs, () => import('./run-site-commands.ts'));
