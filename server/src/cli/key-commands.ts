import { type AppRuns, appCommands, type CommandSpec } from './command.ts';

const create = {
  name: 'key create',
  about: 'Creates an API key for a user.',
  notes: [
    'Prints the key with its secret, which cannot be shown again: only a hash is stored. The user',
    'gets an email. A user may have at most ten active keys.',
  ].join('\n'),
  operands: { email: { about: 'the user' } },
  options: {
    name: { value: 'NAME', about: 'what the key is for; default "Command line"' },
    scopes: {
      value: 'SCOPES',
      about: 'separated by commas; default: all',
    },
    podcasts: { value: 'PODCASTS', about: 'slugs or ids, separated by commas; default: all' },
    expiresInDays: {
      value: 'DAYS',
      about: 'default 90',
      choices: ['30', '90', '180', '365'],
    },
  },
} as const satisfies CommandSpec;

const list = {
  name: 'key list',
  about: "Lists a user's API keys.",
  notes: 'Active keys, and keys that ended in the last thirty days, without secrets.',
  operands: { email: { about: 'the user' } },
} as const satisfies CommandSpec;

const revoke = {
  name: 'key revoke',
  about: 'Revokes an API key permanently.',
  notes: "Takes effect with the next request, also for a rolled key's old secret.",
  operands: { id: { about: "the key's id, see `key list`" } },
} as const satisfies CommandSpec;

const specs = { create, list, revoke };
export type KeyRuns = AppRuns<typeof specs>;

export const keyCommands = appCommands(specs, () => import('./run-key-commands.ts'));
