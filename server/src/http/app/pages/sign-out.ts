import { signOut } from '../../../domain/access/sessions/index.ts';
import { appPages } from '../../../domain/foundation/addresses.ts';
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
