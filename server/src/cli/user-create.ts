import { createUser } from '../domain/accounts/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { UserCreate } from './user-commands.ts';

export const run: RunOnApp<UserCreate> = async (app, { email, name, password }, io) => {
  const user = await createUser(app.ctx, {
    email,
    name,
    password: password ?? (await io.readPassword(`Password for ${email}: `)),
  });
  printJson(io, { id: user.id, email: user.email, name: user.name });
};
