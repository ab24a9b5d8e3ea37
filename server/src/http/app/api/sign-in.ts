import { signIn, signOut } from '../../../domain/access/sessions/index.ts';
import type { Route } from '../../route.ts';
import { defineOpenEndpoint } from '../endpoint.ts';
import { SignIn } from '../schemas/account.ts';
import { clearSession, setSession } from '../set-session.ts';

export const signInRoutes: readonly Route[] = [
  defineOpenEndpoint('POST /app/api/sign-in', {
    id: 'signIn',
    summary: 'Signs in',
    body: { json: SignIn },
    async handle({ ctx, client, token }, { body, reply }) {
      setSession(ctx, reply, await signIn(ctx, { ...body, client, previousToken: token }));
    },
  }),
  defineOpenEndpoint('POST /app/api/sign-out', {
    id: 'signOut',
    summary: 'Signs out; succeeds also without a session',
    async handle({ ctx, token }, { reply }) {
      if (token !== undefined) await signOut(ctx, token);
      clearSession(ctx, reply);
    },
  }),
];
