import { type ListedUser, listUsers, type UserPosition } from '../domain/accounts/index.ts';
import type { RunOnApp } from './command.ts';
import { printList } from './print-list.ts';
import type { UserList } from './user-commands.ts';

export const run: RunOnApp<UserList> = async ({ ctx }, _args, io) => {
  await printList<ListedUser, UserPosition>(
    io,
    'users',
    (query) => listUsers(ctx, query),
    ({ id, email, name, plan, planState, createdAt }) => {
      return { id, email, name, plan, plan_state: planState, created_at: createdAt };
    },
  );
};
