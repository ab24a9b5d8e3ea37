import { getUserByEmail } from '../domain/accounts/index.ts';
import { setUserPassword } from '../domain/sessions/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { UserPassword } from './user-commands.ts';

export const run: RunOnApp<UserPassword> = async ({ ctx }, args, io) => {
  const { id: userId } = await getUserByEmail(ctx, args.email);
  const password = await io.readPassword(`New password for ${args.email}: `);
  const { id, email, name } = await setUserPassword(ctx, { userId, password });
  printJson(io, { id, email, name });
};
