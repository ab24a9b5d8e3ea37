import { createUser } from '../domain/accounts/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';

export const userCreate = defineAppCommand({
  name: 'user create',
  about: 'Makes a user, and the account that their podcasts will belong to.',
  notes: [
    'Without --password it is asked for, unseen; where standard input is no terminal, its first',
    'line is taken: better, since other users of the machine can read what is typed as arguments.',
  ].join('\n'),
  options: {
    email: { value: 'EMAIL', about: 'address to sign in with', required: true },
    name: { value: 'NAME', about: 'default: the part before @' },
    password: { value: 'PASSWORD', about: '8 to 1024 characters' },
  },
  async run(app, { email, name, password }, io) {
    const user = await createUser(app.ctx, {
      email,
      name,
      password: password ?? (await io.readPassword(`Password for ${email}: `)),
    });
    printJson(io, { id: user.id, email: user.email, name: user.name });
  },
});
