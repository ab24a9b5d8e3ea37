import { planIds, setPlan } from '../domain/accounts/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';

export const planSet = defineAppCommand({
  name: 'plan set',
  about: "Puts a user's account on a plan.",
  notes: 'Takes effect with the next request.',
  operands: {
    email: { about: 'the user' },
    plan: { about: planIds.join(', ') },
  },
  options: {
    state: { value: 'STATE', about: 'default active', choices: ['active', 'lapsed'] },
  },
  async run(app, { email, plan, state = 'active' }, io) {
    await setPlan(app.ctx, { email, plan, planState: state });
    printJson(io, { email, plan, plan_state: state });
  },
});
