import { appPages } from '../../../domain/addresses.ts';
import { signOut } from '../../../domain/sessions/index.ts';
import { seeOther } from '../answers.ts';
import { clearSession } from '../set-session.ts';
import { withDone } from './done.ts';
import { anyRequester, definePageRoute } from './page-route.ts';

export const signOutAction = definePageRoute(
  'POST',
  { path: appPages.signOut, authenticate: anyRequester },
  async ({ requester: { ctx, token }, reply }) => {
    if (token !== undefined) await signOut(ctx, token);
    clearSession(ctx, reply);
    return seeOther(withDone(appPages.signIn, 'signed-out'));
  },
);
