import { signIn, signOut } from '../../../domain/sessions/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerNothing } from '../answers.ts';
import { clearSession, keepSession } from '../carry-session.ts';
import { forAnyRequester } from '../requester.ts';
import { nothing } from '../responses.ts';
import { SignIn } from '../schemas/account.ts';
import { closed } from '../schemas/fields.ts';

const signInRoute = defineRoute({
  ...forAnyRequester,
  method: 'POST',
  path: '/app/api/sign-in',
  body: { json: SignIn },
  operation: { id: 'signIn', summary: 'Signs in', responses: nothing },
  async handle(_http, { caller: { ctx, client, token }, body, reply }) {
    keepSession(ctx, reply, await signIn(ctx, { ...body, client, previousToken: token }));
    return answerNothing;
  },
});

const signOutRoute = defineRoute({
  ...forAnyRequester,
  method: 'POST',
  path: '/app/api/sign-out',
  body: { json: closed({}) },
  operation: {
    id: 'signOut',
    summary: 'Signs out, also whoever was not signed in',
    responses: nothing,
  },
  async handle(_http, { caller: { ctx, token }, reply }) {
    if (token !== undefined) await signOut(ctx, token);
    clearSession(ctx, reply);
    return answerNothing;
  },
});

export const signInRoutes: readonly Route[] = [signInRoute, signOutRoute];
