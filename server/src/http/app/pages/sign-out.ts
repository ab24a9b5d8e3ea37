import { signOut } from '../../../domain/sessions/index.ts';
import { seeOther } from '../answers.ts';
import { forgetSession } from '../carry-session.ts';
import { sayingDone } from './done.ts';
import { anyVisitor, definePageRoute } from './page-route.ts';

export const signOutAction = definePageRoute(
  'POST',
  { path: '/app/sign-out', admit: anyVisitor },
  async ({ visitor: { ctx, token }, reply }) => {
    if (token !== undefined) await signOut(ctx, token);
    forgetSession(ctx, reply);
    return seeOther(sayingDone('/app/sign-in', 'signed-out'));
  },
);
