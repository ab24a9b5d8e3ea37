import { setPlan } from '../domain/accounts/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { PlanSet } from './user-commands.ts';

export const run: RunOnApp<PlanSet> = async (app, { email, plan, state = 'active' }, io) => {
  await setPlan(app.ctx, { email, plan, planState: state });
  printJson(io, { email, plan, plan_state: state });
};
