import { setUserPassword } from '../domain/access/sessions/index.ts';
import { changePlan } from '../domain/audience/overage/index.ts';
import {
  createUser,
  getUserByEmail,
  type ListedUser,
  listUsers,
  type UserPosition,
} from '../domain/foundation/accounts/index.ts';
import { readStorage } from '../domain/foundation/storage/index.ts';
import { printJson } from './command-io.ts';
import { printList } from './print-list.ts';
import type { UserRuns } from './user-commands.ts';

export const create: UserRuns['create'] = async (app, { email, name, password }, io) => {
  const user = await createUser(app.ctx, {
    email,
    name,
    password: password ?? (await io.readPassword(`Password for ${email}: `)),
  });
  printJson(io, { id: user.id, email: user.email, name: user.name });
};

export const list: UserRuns['list'] = async ({ ctx }, _args, io) => {
  await printList<ListedUser, UserPosition>(
    io,
    'users',
    (query) => listUsers(ctx, query),
    ({ id, email, name, plan, planState, createdAt, ...rest }) => {
      const storage = presentStorage(rest);
      return { id, email, name, plan, plan_state: planState, created_at: createdAt, storage };
    },
  );
};

export const password: UserRuns['password'] = async ({ ctx }, args, io) => {
  const { id: userId } = await getUserByEmail(ctx, args.email);
  const password = await io.readPassword(`New password for ${args.email}: `);
  const { id, email, name } = await setUserPassword(ctx, { userId, password });
  printJson(io, { id, email, name });
};

export const plan: UserRuns['plan'] = async (app, { email, plan, state = 'active' }, io) => {
  await changePlan(app.ctx, { email, plan, planState: state });
  const { accountId: id } = await getUserByEmail(app.ctx, email);
  const { audioBytes, imageBytes, includedBytes } = await readStorage(app.ctx, { id, plan });
  const storage = presentStorage({ storedBytes: audioBytes + imageBytes, includedBytes });
  printJson(io, { email, plan, plan_state: state, storage });
};

/** Null: no limit. */
const presentStorage = ({
  storedBytes,
  includedBytes,
}: Pick<ListedUser, 'storedBytes' | 'includedBytes'>) => ({
  used_bytes: storedBytes,
  included_bytes: includedBytes ?? null,
});
