import { type AppRuns, appCommands, type CommandSpec } from './command.ts';

const list = {
  name: 'site list',
  about: 'Lists connected and formerly connected sites, newest first.',
  notes: [
    "With --user, only one user's. `last_call` is the site's last request, `behind` the number of",
    'changes that it has not fetched yet, and `pings` shows whether it can be notified of changes.',
  ].join('\n'),
  options: { user: { value: 'EMAIL', about: 'only the sites of this user' } },
} as const satisfies CommandSpec;

const show = {
  name: 'site show',
  about: 'Prints a connected site.',
  operands: { id: { about: "the site's id, see `site list`" } },
} as const satisfies CommandSpec;

const disconnect = {
  name: 'site disconnect',
  about: 'Disconnects a site.',
  notes: [
    "Its key stops working immediately. The site's posts stay. Its user can connect it again, and it",
    'then continues with the same posts. Prints the site.',
  ].join('\n'),
  operands: { id: { about: "the site's id, see `site list`" } },
} as const satisfies CommandSpec;

const createKey = {
  name: 'site key create',
  about: 'Creates a key that connects a site from the command line.',
  notes: [
    "Prints the key with its secret, which cannot be shown again: only a hash is stored. The site's",
    'plugin has to register it within 24 hours; until then the key can do nothing else. The user',
    'gets an email, and must own or administer the podcasts.',
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
