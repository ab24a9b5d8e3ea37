import { signIn, signOut } from '../../../domain/sessions/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerNothing } from '../answers.ts';
import { forgetSession, keepSession } from '../carry-session.ts';
import { SignIn } from '../schemas/account.ts';
import { closed } from '../schemas/fields.ts';
import { forVisitors } from '../visitor.ts';

const signInRoute = defineRoute({
  ...forVisitors,
  method: 'POST',
  path: '/app/api/sign-in',
  body: { json: SignIn },
  async handle(_web, { caller: { ctx, client, token }, body, reply }) {
    keepSession(ctx, reply, await signIn(ctx, { ...body, client, previousToken: token }));
    return answerNothing(reply);
  },
});

/** Signed out is signed out, also for whoever was not signed in. */
const signOutRoute = defineRoute({
  ...forVisitors,
  method: 'POST',
  path: '/app/api/sign-out',
  body: { json: closed({}) },
  async handle(_web, { caller: { ctx, token }, reply }) {
    if (token !== undefined) await signOut(ctx, token);
    forgetSession(ctx, reply);
    return answerNothing(reply);
  },
});

export const signInRoutes: readonly Route[] = [signInRoute, signOutRoute];
