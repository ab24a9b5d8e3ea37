import { type AppRuns, appCommands, type CommandSpec } from './command.ts';

const create = {
  name: 'user create',
  about: 'Creates a user with an account that will own their podcasts.',
  notes: [
    'Without --password it asks, without echo; if standard input is not a terminal, it reads the first',
    "line. That is safer, because the machine's other users can see arguments.",
  ].join('\n'),
  options: {
    email: { value: 'EMAIL', about: 'email address to sign in with', required: true },
    name: { value: 'NAME', about: 'default: the part before @' },
    password: { value: 'PASSWORD', about: '8 to 1024 characters' },
  },
} as const satisfies CommandSpec;

const list = {
  name: 'user list',
  about: 'Lists all users, oldest first, with their plans and the storage they use.',
} as const satisfies CommandSpec;

const password = {
  name: 'user password',
  about: "Sets a user's password.",
  notes: [
    'Asks without echo; if standard input is not a terminal, reads its first line. As when users',
    'change it themselves, all their sessions and API keys end, and they get an email.',
  ].join('\n'),
  operands: { email: { about: 'the user' } },
} as const satisfies CommandSpec;

const plan = {
  name: 'plan set',
  about: "Changes the plan of a user's account.",
  notes: 'Takes effect with the next request.',
  operands: {
    email: { about: 'the user' },
    plan: { about: 'free, creator, studio, production_house, enterprise' },
  },
  options: {
    state: { value: 'STATE', about: 'default active', choices: ['active', 'lapsed'] },
  },
} as const satisfies CommandSpec;

const specs = { create, list, password, plan };
export type UserRuns = AppRuns<typeof specs>;

export const userCommands = appCommands(specs, () => import('./run-user-commands.ts'));
